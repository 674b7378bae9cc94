import type { ErrorSentences, ErrorWords } from '../texts.ts';

/** English sentences: what happened, what is safe, what to do. */
export const errorSentences: ErrorSentences = {
  invalid_input: '“{field}” is not valid: {rule}. Nothing was changed. Please correct it.',
  amount_not_a_number:
    '“{field}” is not an amount: {value}. Nothing was changed. Write the amount like this, for example: 12’345.60.',
  amount_negative: '“{field}” cannot be negative. Nothing was changed. Enter 0 or more.',
  amount_too_many_decimals:
    '“{field}” has more than two digits after the point. Nothing was changed. Enter the amount to the Rappen, with a point before the Rappen.',
  amount_too_large:
    '“{field}” is too large. Nothing was changed. The highest amount is CHF 999’999’999.99.',
  comment_too_long:
    'The comment is too long at {length} characters. Nothing was changed. Shorten it to {max} characters at most.',
  reason_missing:
    'The reason is missing. Nothing was changed. Enter a reason of 1 to 4000 characters.',
  reason_too_long:
    'The reason is too long at {length} characters. Nothing was changed. Shorten it to {max} characters at most.',
  case_not_found: 'Case {id} is not on this laptop. Check the number, or sync first.',
  document_not_found:
    'This document is not known on this laptop. Reload the list of documents, or sync.',
  view_name_taken: 'There is a view “{name}” already. Please choose another name.',
  view_not_found: 'The view “{name}” is no longer there: another window deleted it.',
  draft_not_found:
    'This report draft is no longer here: it was discarded or already delivered. Look in the queue.',
  own_rule_invalid:
    'The rule for your own cases cannot be read, line {line}: “{text}”, {rule}. Nothing was changed. Write a postal code or a range on each line, for example 8000-8499.',
  text_block_invalid:
    'The text block “{entry}” has a field in line {line} that does not exist: {text}. Nothing was changed.',
  texts_file_invalid:
    'The file “{fileName}” is no file of text blocks and checklists. Nothing was changed.',
  texts_entry_invalid: 'The entry {entry} of the file cannot be read: {rule}. Nothing was changed.',
  sheet_unreadable:
    'The sheet “{fileName}” cannot be read from line {line} on. Nothing was changed. Save it as CSV or XLSX.',
  sheet_columns:
    'The sheet has no column with the external key, or none that sets something. Nothing was changed. Use the headings of the exported list.',
  sheet_line_twice:
    'This case is in line {line} already. Nothing was changed. Keep one of the lines.',
  queue_row_not_found: 'The queue has no entry {id}. Check the number.',
  queue_row_state:
    'Entry {id} is in the state “{state}”, in which this is not possible. Nothing was changed.',
  case_state: 'The case has the status “{status}”, which does not allow this. Nothing was changed.',
  file_not_found:
    'The file “{fileName}” cannot be found or read. Nothing was added. Check its name and folder.',
  file_not_regular:
    '“{fileName}” is not an ordinary file but a device or a pipe. Nothing was read. Save its content as a file and choose that.',
  file_changing: 'The file “{fileName}” is still being written. Try again in a few seconds.',
  file_empty: 'The file “{fileName}” is empty. It was not added. Choose the file with its content.',
  file_too_large:
    'The file “{fileName}” is too large at {sizeBytes}. It was not added. At most {maxBytes} are allowed; make it smaller or split it.',
  file_type_not_allowed:
    'The file “{fileName}” is of a type that the partner does not accept. It was not added. Allowed are PDF, JPEG, PNG, WebP, HEIC, TIFF, text, CSV, e-mail (EML), ZIP, Word (DOCX) and Excel (XLSX).',
  file_type_mismatch:
    'The content of the file “{fileName}” does not match its name. It was not added. Open it in the program it came from and save it again.',
  file_name_invalid:
    'The file name “{fileName}” is not allowed: {rule}. The file was not added. Rename it.',
  photo_unusable:
    'The photo “{fileName}” is not in the report: {rule}. The file stays unchanged where it was. The others were taken.',
  draft_without_documents:
    'The report has no document yet. The draft stays saved. Add at least one file.',
  draft_busy:
    'The files of this report are still being worked on. It is not in the queue. Try again when they are done.',
  file_exists: 'There is already a file {fileName}. It was not overwritten. Choose another name.',
  file_unwritable: 'The file {fileName} cannot be written: {reason}. Choose another place.',
  file_not_opened:
    'The content of “{fileName}” is not what its name says. The document was given to no other program. If you need it, save a copy.',
  no_program: 'No program on this laptop could open “{fileName}”. Save a copy and open it by hand.',
  drag_let_go:
    'You let go before “{fileName}” was ready. Nothing was dropped. Drag it again, and hold the button longer.',
  package_unreadable:
    'This is not a work package that the desk can read but {found}. Nothing was taken over.',
  package_passphrase_wrong:
    'The passphrase does not fit this work package. Nothing was taken over. Try again.',
  package_other_connection:
    'This work package belongs to the connection “{name}”. Nothing was taken over. Open that connection or set it up, then try again.',
  backup_passphrase_missing:
    'No automatic backup can be made: the keychain of this laptop has no passphrase for it. Set one in Settings, Backup.',
  restored_unsure:
    'This work was in a package, and a report of this case has been submitted since, perhaps from another laptop. Your report stays saved here. Look at the case at the partner: if your report is not there, submit it all the same, otherwise discard the entry.',
  reopening_unsure:
    'Whether the case was reopened is not known: no answer came, and since then the case has changed at the partner and is closed. Your reason stays saved here. Look at the case at the partner: if it is to be reopened, try again, otherwise discard the entry.',
  key_unreadable:
    'This is not a readable private key but {found}. Nothing was stored. Choose the key file that was downloaded in your organization’s settings (PEM or JWK).',
  key_not_rsa:
    'The key is not an RSA key but {found}. Nothing was stored. Choose the RSA key of your organization.',
  key_too_short:
    'The RSA key has only {bits} bits. Nothing was stored. The partner asks for at least 2048 bits; create a new key.',
  key_passphrase_needed:
    'The key is protected by a passphrase. Nothing was stored. Enter the passphrase of the key.',
  key_passphrase_wrong: 'The passphrase does not fit this key. Nothing was stored. Try again.',
  keychain_unavailable:
    'This system has no keychain. Nothing was stored unencrypted. Install one, or start with --vault passphrase and set DESK_VAULT_PASSPHRASE.',
  keychain_locked:
    'The keychain of this system is locked. All data stay unchanged and encrypted on this laptop. Unlock it: sign in to the system again, or open the system’s password manager. Then try again.',
  keychain_unreachable:
    'The keychain of this system does not answer. All data stay unchanged and encrypted on this laptop. Sign in to the system again, or open the system’s password manager. Then try again.',
  keychain_entry_lost:
    'The key to the data on this laptop is missing from the keychain. The data stay as they are. Set the connection up again with its key file. If that is not enough, restore the keychain, or begin anew with --set-aside: the old data are then put aside, not deleted, and a work package brings undelivered work back.',
  vault_passphrase_wrong:
    'The passphrase of the key store is wrong. Nothing was changed. Check DESK_VAULT_PASSPHRASE.',
  no_connection:
    'No connection to the partner is set up yet. Set one up, for example with “{command} connect”.',
  connection_known:
    'The connection “{name}” has this address and client id already. Nothing was changed.',
  connection_holds_work:
    'This connection holds work that is nowhere else: queue entries {entries}, drafts {drafts}, typed texts {texts}, backups {backups}. Nothing was removed. Look at it and confirm once more (command line: --with-work).',
  practice_only:
    'This works in the practice workspace only. Open it in the settings under “Connection”.',
  credentials_invalid:
    'In the credentials, “{field}” is not right: {rule}. Nothing was stored. Check the file.',
  base_url_invalid:
    '“{field}” is not a usable address: {rule}. Nothing was stored. An address like https://api.example.ch is expected.',
  offline:
    '{host} cannot be reached: no network. Your work is saved on this laptop and is delivered by itself as soon as the network is back.',
  address_unknown:
    'The name {host} is not known on the network. Your work is saved on this laptop. Check the base address and the network connection.',
  connection_refused:
    '{host} does not accept a connection. Your work is saved on this laptop and is delivered later. Check address and port if it stays like this.',
  connection_lost:
    'The connection to {host} broke off. Your work is saved on this laptop; the desk tries again by itself.',
  timeout:
    '{host} did not answer in time. Your work is saved on this laptop; the desk tries again by itself.',
  certificate_untrusted:
    'The certificate of {host} cannot be trusted: {reason}. Nothing was sent, your work is saved. Tell your IT; this check cannot be skipped.',
  captive_portal:
    'Another page answered in place of the partner, probably the sign-in page of a Wi-Fi network. Nothing was taken over, your work is saved. Sign in to the Wi-Fi in the browser.',
  proxy_sign_in:
    'The proxy on the way to {host} asks for a name and a password; the desk signs in with the account of the system only. Your work is saved on this laptop. Report it to your IT.',
  answer_foreign:
    'The partner’s side answered this request with a page instead of data (status {status}), for example its firewall. The network is fine. Your work is saved here; if it stays like this, give the partner the technical details.',
  answer_too_large:
    'The answer of the partner is larger than {maxMegabytes} MB and was not read. Nothing was changed on this laptop. If it stays like this, give the partner the technical details.',
  redirect_refused:
    '{host} wanted to send the request to another address, which the desk refused. Your work is saved. Check the base address.',
  clock_wrong:
    'The clock of this laptop is wrong by {offsetMinutes} {offsetMinutes|minute|minutes}, so the partner refuses. Your work is saved. Set the clock to automatic time.',
  client_id_unknown:
    'The partner does not know the client id “{clientId}”. Check the client id in the credentials.',
  key_rejected:
    'The partner does not know this key for this client id. Check that key file and client id belong together.',
  access_revoked:
    'The office’s gateway no longer admits this laptop: its access was ended. The unsent work is kept on this laptop and can be backed up. Ask your IT for a new enrolment code.',
  code_refused:
    'The gateway does not take this code: it is mistyped, used or expired. Nothing was stored. Check it, or ask your IT for a new one.',
  gateway_missing: 'There is no office gateway at {host}. Nothing was stored. Check the address.',
  audience_wrong:
    'The token address (audience) “{audience}” is not right. Enter it exactly as the partner names it.',
  sign_in_refused:
    'The partner refuses the sign-in and does not say why. Most likely the key does not belong to the client id “{clientId}”, or the token address (audience) “{audience}” is written differently at the partner, or it does not know the client id. Check the three in this order.',
  path_unknown:
    'There is no such interface at {address} (status {status}). Your work is saved. Check the base address and, if your IT has set any, the paths.',
  organization_kind_wrong:
    'These credentials do not belong to an expert organization. Use the credentials of the experts.',
  unauthorized:
    'The partner refused the sign-in. Your work is saved on this laptop. Check the connection; if it stays like this, give your IT the technical details.',
  rate_limited:
    'The partner asks for a pause until {until}. Your work is saved; it then goes on by itself.',
  limit_lowered:
    'The partner allows only {perMinute} {bucket} a minute for now. Nothing is lost, but everything takes longer; from {until} on the desk tries more again.',
  server_refused:
    'The partner did not accept this: {title}. Your work stays saved on this laptop. Look at the details and try again, or discard the entry.',
  server_failed:
    'Something failed at the partner. Your work is saved on this laptop; the desk tries again by itself.',
  answer_invalid:
    'The answer of the partner is not what was agreed. Nothing was changed on this laptop. If it stays like this, give your IT the technical details.',
  records_unreadable:
    'Records of the partner that cannot be read: {count}. The first is {id}, at “{place}”. They are kept as they came, and all others are here. Tell the partner.',
  case_time_ahead:
    'Cases that the partner dates in the future: {count}. The first is {externalKey}. They are stored and shown. Tell the partner.',
  answer_mismatch:
    'The answer of the partner does not fit what was sent, and when we looked it was not at the partner. It stays saved here and does not count as delivered. Try again, or ask the partner; the technical details name the place.',
  server_kept_other:
    'The partner answered that it took your entry, but has something else: “{field}” is {found} there, and {sent} was sent. Yours is saved here and does not count as delivered. Send it again, change it, or discard it to accept theirs.',
  reopening_without_effect:
    'The partner answered that the case is reopened, but it is still closed there. Your reopening is saved here. Try again, or ask the partner.',
  report_still_draft:
    'The partner answered that the report is submitted, but it is still a draft there. Your report is saved here and does not count as delivered. Try again, or ask the partner.',
  report_not_listed:
    'The partner answered that the report is submitted, but does not list it. Your report is saved here with its proof. Ask the partner before you hand it in once more.',
  documents_not_there:
    'The partner answered that it took the documents, but does not have all of them: {count} missing, the first is {fileName}. Nothing was submitted; they are saved here. Try again, or ask the partner.',
  server_draft_gone:
    'Somebody else deletes this report’s draft at the partner each time. Your report and its files are saved here. Find out who does it; then try again: the draft is made again with the same files.',
  case_awaits:
    'The case has the status “{status}”. Your work is saved here and goes out by itself once the case is accepted, in the insurer’s portal.',
  server_draft_exists:
    'At the partner a report draft that is not from this laptop is already open for this case. Your report stays saved here. Find out whose draft it is; then try again, or use it for your report.',
  server_draft_documents:
    'In the report draft at the partner are documents that are not from this laptop: {count}. Nothing was submitted; your report stays saved here. Have them taken out there and try again, or decide here: submit with them, or remove them first.',
  server_case_gone:
    'Your organization can no longer reach this case at the partner. Your work stays saved on this laptop. Ask the insurer.',
  server_value_changed:
    '“{field}” was changed meanwhile, most likely by somebody of your organization, because only experts set this value: from {seen} to {found}; your value is {mine}. Your value is saved. Choose which one counts.',
  outcome_unknown:
    'It is not yet known whether the partner carried out the last delivery. Your work is saved; the desk asks the partner before it repeats anything.',
  home_in_use:
    'Another desk already has this folder open (process {pid}). Nothing was changed. Use that one, or close it first.',
  home_newer:
    'These data come from a newer version of the desk. They were not touched. Install the newer version.',
  home_trial:
    'These data come from a trial version of the desk, which this version cannot read. They were not touched. Start with another folder (--home), or move this one away.',
  home_unwritable:
    'The folder of the desk cannot be written: {reason}. Check its permissions, or choose another with --home.',
  settings_invalid:
    'The settings file {fileName} is damaged. It was left as it is, and nothing else was changed. Put it back from a backup, or have your IT look at it.',
  policy_invalid:
    'The policy file {fileName} is not valid. Place: {place}. Reason: {detail}. Nothing was started. Your IT must correct the file.',
  work_corrupt:
    'The file with your undelivered work is damaged. It was put aside and not overwritten; you can take back its last verified backup, in the settings or with “{command} restore --backup”.',
  work_lost:
    'The file with your undelivered work is damaged, and none of its backups is sound. It was put aside and not overwritten; check at the insurer what has arrived.',
  disk_full:
    'The disk is full. What was saved is unharmed; the last thing was not taken. Make room and try again.',
  internal:
    'Something unexpected went wrong in the desk. Saved work is not affected. Try again, and give your IT the reference {correlationId}.',
};

export const errorWords: ErrorWords = {
  notEntered: 'not entered',
  unknown: 'unknown',
  fields: {
    connection: 'Connection',
    sheet: 'Sheet',
    folder: 'Folder',
    costEstimateRappen: 'Cost estimate',
    approvedRappen: 'Approved amount',
    expertComment: 'Comment',
    comment: 'Comment',
    text: 'Text',
    reason: 'Reason',
    baseUrl: 'Base address',
    audience: 'Token address (audience)',
    clientId: 'Client id',
    privateKey: 'Private key',
    privateKeyPem: 'Private key',
    keyPassphrase: 'Passphrase of the key',
    scope: 'Scope',
    name: 'Name',
    fileName: 'File name',
    status: 'Status',
    category: 'Category',
    file: 'File',
    passphrase: 'Passphrase',
    id: 'Number',
  },
  rules: {
    not_deletable: 'the desk could not delete it after taking it',
    gateway_alone:
      'with a gateway there is no base address, audience or client id: it tells them itself',
    no_certificate: 'it holds no certificate (PEM)',
    absolute: 'it must be a full path',
    not_a_picture: 'its content is no picture',
    cut_off: 'the end of the file is missing',
    too_large: 'it has more than 100 million pixels',
    too_many_pages: 'it has more than 100 pages',
    unreadable: 'it cannot be read',
    required: 'it is missing',
    url: 'not a valid address',
    scheme: 'the address must begin with https://',
    'no-credentials': 'the address must not hold a user name or a password',
    json: 'not valid JSON',
    empty: 'empty',
    too_long: 'too long',
    separator: 'it contains a slash',
    control: 'it contains control characters',
    too_small: 'too small or too short',
    too_big: 'too large or too long',
    invalid_type: 'it does not have the right form',
    invalid_format: 'it does not have the right form',
    invalid_union: 'it does not have the right form',
    invalid_value: 'unknown value',
    every_attachment_once: 'every file must occur exactly once',
    not_a_code: 'this is no postal code of four digits and no range of two',
    backwards: 'the range ends before it begins',
    says_nothing: 'it names no postal codes, categories or persons',
    policy: 'your organization has set it',
    unknown: 'unknown',
  },
  found: {
    empty: 'an empty file',
    'public-key': 'a public key',
    certificate: 'a certificate',
    'certificate-request': 'a certificate request',
    'ec-key': 'an EC key',
    'ed-key': 'an Ed25519 or Ed448 key',
    'dsa-key': 'a DSA key',
    'dh-key': 'a Diffie-Hellman key',
    'rsa-pss-key': 'a key for RSA-PSS only',
    'symmetric-key': 'a symmetric key',
    'openssh-key': 'an OpenSSH key',
    'putty-key': 'a PuTTY key',
    'pgp-key': 'a PGP key',
    'key-set': 'a list of keys (JWKS)',
    json: 'a JSON file without a key',
    pdf: 'a PDF',
    binary: 'a binary file',
    text: 'plain text',
    'unknown-pem': 'a PEM file of another kind',
    'unsupported-encryption': 'a key with an encryption that is not supported',
    'damaged-key': 'a damaged key',
    'no-package': 'another file',
    'damaged-package': 'a damaged or incomplete work package',
  },
  reasons: {
    DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
    SELF_SIGNED_CERT_IN_CHAIN: 'its issuer is unknown',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its issuer is unknown',
    UNABLE_TO_GET_ISSUER_CERT: 'its issuer is unknown',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its issuer is unknown',
    CERT_UNTRUSTED: 'its issuer is unknown',
    CERT_HAS_EXPIRED: 'it has expired',
    CERT_NOT_YET_VALID: 'it is not valid yet',
    ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
    HOSTNAME_MISMATCH: 'it is for another name',
    CERT_REVOKED: 'it was revoked',
    'vault-unreadable': 'the key store is damaged',
    ENOENT: 'the folder does not exist',
    EISDIR: 'it is a folder',
    EACCES: 'permission is missing',
    EPERM: 'permission is missing',
    EROFS: 'the disk is read-only',
    ENOTDIR: 'a part of the path is no folder',
  },
  titles: {
    forbidden: 'your organization has no access to this case',
    not_found: 'the partner does not know the case or the document',
    org_without_members: 'your organization has no members at the partner',
    invalid_org_context: 'the credentials belong to another kind of organization',
    invalid_state: 'the state of the case does not allow it',
    invalid_document: 'a document is not valid',
    missing_documents: 'the report lacks documents',
    unsupported_content_type: 'a file type is not allowed',
    size_limit_exceeded: 'a file is too large',
    invalid_request: 'a value is not valid',
    invalid_payload: 'the data of the case are not valid',
  },
  buckets: {
    standard: 'requests',
    documents: 'requests for documents',
  },
};
