import type { CommandLineHints, ErrorSentences, ErrorWords, ReadRefusals } from '../texts.ts';

/**
 * English sentences: what happened, what is safe, what to do. In brackets: what only
 * a desk that stays open can promise.
 */
export const errorSentences: ErrorSentences = {
  invalid_input: '“{field}” is not valid: {rule}. Nothing was changed. Please correct it.',
  amount_not_a_number:
    '“{field}” is not an amount: {value}. Nothing was changed. Write the amount like this, for example: 12’345.60.',
  amount_negative: '“{field}” cannot be negative. Nothing was changed. Enter 0 or more.',
  amount_too_many_decimals:
    '“{field}” has more than two decimal places. Nothing was changed. Enter the amount to the centime (two decimal places).',
  amount_too_large:
    '“{field}” is too large. Nothing was changed. The maximum is CHF\u00a0999’999’999.99.',
  comment_too_long:
    'The comment is too long at {length} characters. Nothing was changed. Shorten it to {max} characters at most.',
  reason_missing:
    'The reason is missing. Nothing was changed. Enter a reason of 1 to 4000 characters.',
  reason_too_long:
    'The reason is too long at {length} characters. Nothing was changed. Shorten it to {max} characters at most.',
  case_ambiguous:
    '{count} cases have the number {id}. Nothing was changed. Select the case in the list, or name it by its ID.',
  case_not_found: 'Case {id} is not on this device. Check the number, or sync first.',
  document_not_found:
    'This document is unknown on this device. Reload the list of documents, or sync.',
  positions_unknown:
    'The lines of “{fileName}” cannot be read with certainty: a PDF with text or an XLSX is needed whose lines add up to the total to the Rappen.',
  view_name_taken: 'A view named “{name}” already exists. Please choose another name.',
  view_not_found: 'The view “{name}” is no longer there: another window deleted it.',
  draft_not_found:
    'There is no such draft: it was not started, was deleted or already sent. Check the outbox.',
  own_rule_invalid:
    'Line {line} of the rule for your own cases cannot be read: “{text}”, {rule}. Nothing was changed. Enter one postal code or range per line, for example 8000–8499.',
  text_block_invalid:
    'Line {line} of the text block “{entry}” contains an unknown field: {text}. Nothing was changed.',
  texts_file_invalid:
    '“{fileName}” does not contain text blocks or checklists. Nothing was changed.',
  texts_entry_invalid: 'The entry {entry} of the file cannot be read: {rule}. Nothing was changed.',
  sheet_unreadable:
    'The sheet “{fileName}” cannot be read from line {line} on. Nothing was changed. Save it as CSV or XLSX.',
  sheet_columns:
    'The sheet has no “Claim number” column, or no column with values to set. Nothing was changed. Use the headings of the exported case list.',
  sheet_not_found:
    '“{fileName}” has no sheet “{name}”. Nothing was applied. Its sheets are: {names}.',
  sheet_cells_beyond:
    'Column {column} has “{value}” and no heading. A separator within a text or an amount may be missing its quotation marks. Correct the line or leave it out.',
  sheet_cell_control:
    'Column {column} contains control characters or lost letters (�). Correct them, or save the sheet as CSV (UTF-8), and read it again.',
  sheet_cell_quote:
    'In column {column} a text begins with a quotation mark that is not closed. Add or remove it (a quotation mark within the text is doubled), or leave the line out.',
  sheet_line_twice:
    'This case already appears in line {line}. Nothing was changed. Keep only one of the lines.',
  sheet_cell_empty:
    '“{field}” is a formula without a stored result. The line was not applied. Open the sheet in Excel and save it again, or enter the value.',
  sheet_cell_failed:
    '“{field}” is a formula with an error: {value}. The line was not applied. Correct the sheet.',
  template_refused: '“{fileName}” cannot be used as a template: {rule}{thing}. Nothing was added.',
  template_ambiguous:
    'Several templates are called “{name}”. Nothing was changed. Name one of them like this: {ids}.',
  template_wrong_category:
    'The template “{fileName}” is for cases of another category. Nothing was filled. Choose a template for this case.',
  template_not_found:
    'This template no longer exists: it was removed, or its folder cannot be reached. Choose another one.',
  template_folder_unreachable:
    'The folder of your organization’s templates cannot be reached: {folder}. Its templates are missing until it can; the others can be filled.',
  template_faulty:
    'The template “{fileName}” has {count} {count|fault|faults} and cannot be filled. The settings show where; correct it in Word.',
  pdf_program_missing:
    'There is no LibreOffice on this device that can create a PDF. The report is unchanged. Export the PDF in Word.',
  pdf_not_made:
    'No PDF could be created from “{fileName}”. The report is unchanged. Export the PDF in Word or LibreOffice.',
  pdf_incomplete:
    'Something is missing in the PDF “{fileName}”: {thing}. It was not added, and the report is unchanged. Export the PDF in Word or LibreOffice.',
  annex_not_bound:
    '“{fileName}” cannot become part of the one PDF: {rule}. The report is unchanged. Leave the file out; it is then sent as a separate file.',
  document_open:
    '“{fileName}” is still open in Word or LibreOffice. Nothing was changed. Close it there first; what you save after that becomes another document of the draft.',
  queue_row_not_found: 'There is no entry {id} in the outbox. Check the number.',
  queue_row_state:
    'Entry {id} is in the state “{state}”, in which this is not possible. Nothing was changed.',
  newer_act: 'You have made entry {id} for this case since, and it stands. Nothing was changed.',
  case_state: 'The case has the status “{status}”, which does not allow this. Nothing was changed.',
  file_not_found:
    'The file “{fileName}” cannot be found or read. Nothing was added. Check its name and folder.',
  file_unreadable:
    '“{fileName}” cannot be read and was not added: it was moved, is open in another program or is in a cloud. Open it once, close it, and add it again.',
  file_not_regular:
    '“{fileName}” is not an ordinary file but a device or a pipe. Nothing was read. Save its content as a file and choose that.',
  file_is_link:
    '“{fileName}” is a link; links are not followed. Put the file itself into the folder.',
  file_changing: 'The file “{fileName}” is still being written. Try again in a few seconds.',
  file_empty: 'The file “{fileName}” is empty and was not added.',
  file_too_large:
    'The file “{fileName}” is too large ({sizeBytes}) and was not added. The limit is {maxBytes}; reduce its size or split it.',
  file_type_not_allowed:
    'The file “{fileName}” is of a type that the insurer does not accept. It was not added. Allowed are PDF, JPEG, PNG, WebP, HEIC, TIFF, text, CSV, email (EML), ZIP, Word (DOCX) and Excel (XLSX).',
  file_type_mismatch:
    'The content of the file “{fileName}” does not match its name. It was not added. Open it in the program it came from and save it again.',
  office_protected:
    'The file “{fileName}” is protected by a password or has the old format of Office (DOC, XLS). It was not added. Save it without a password as DOCX or XLSX.',
  file_name_invalid:
    'The file name “{fileName}” is not allowed: {rule}. The file was not added. Rename it.',
  file_kind: 'The file “{fileName}” was not added: {rule}.',
  file_in_cloud:
    '“{fileName}” is in a cloud and not on this device. It was not added. Open it once, or make its folder available offline, and add it again.',
  pdf_damaged:
    'The PDF “{fileName}” is damaged or incomplete and cannot be opened. It was not added. Save or scan it again.',
  pdf_looks_damaged:
    'Pictures in the PDF “{fileName}” look damaged, and without the window nobody sees this before it is sent. It was not added. Look at its pages; scan it again, or add it in the window.',
  file_damaged:
    'The file “{fileName}” is damaged or incomplete: {rule}. It was not added. Copy or save it again.',
  file_too_heavy:
    '“{fileName}” cannot be opened to its end: unpacked, the file takes more memory or time than any document should. It was not added. Save it again, for example by printing it to a PDF, or split it.',
  file_unchecked:
    '“{fileName}” could not be checked, because this device is short of memory or the check broke off. It was not added. Close other programs and add it again; if that does not help, restart Appraiser Desk.',
  mail_files_left_out:
    '“{fileName}” carries more than 1,000 files. These {n} were not added: {names}. Open the email in your email program and save them from there.',
  photo_changed:
    'Your last change of “{fileName}” was not saved, because another window of Appraiser Desk changed the photo before it. The photo is shown as it is now; make your change again.',
  photo_unusable: 'The photo “{fileName}” was not added: {rule}. The original file is unchanged.',
  hand_over_unsure:
    'The assignment is not confirmed: the office gateway answered for {done} of {total} cases. Assign them again once it can be reached; a repetition changes nothing.',
  hand_over_refused:
    'The office gateway refused the assignment: the person is no longer there, or this device may no longer assign. {done} of {total} cases are assigned. Ask whoever runs the gateway.',
  hand_over_stopped:
    'The office gateway could not be reached or did not carry out the assignment. {done} of {total} cases are assigned. Assign them again later; a repetition changes nothing.',
  draft_filled_otherwise:
    'A draft of this case already has a filled document with other values. It stays as it is: fill it again, or delete it.',
  photo_unready:
    'The photo “{fileName}” cannot be sent without the window: place, device and other hidden data could not be removed (damaged, or too large). Open the report in the window; there the photo is made ready, or the reason is shown.',
  telephone_unavailable:
    'No telephone can be connected at the moment: this device is on no private network that is allowed for this. Nothing was changed. Connect it to the office network or to the telephone’s hotspot.',
  draft_without_documents: 'The report has no file yet. The draft is saved. Add at least one file.',
  draft_busy:
    'The files of this report are still being processed; it has not been submitted. Please try again in a moment.',
  file_exists: 'There is already a file {fileName}. It was not overwritten. Choose another name.',
  file_unwritable: 'The file {fileName} cannot be written: {reason}. Choose another place.',
  file_not_opened:
    'The content of “{fileName}” does not match its file extension, so it was not opened in another program. If you need it, save a copy.',
  no_program:
    'No program on this device could open “{fileName}”. Save a copy and open it yourself.',
  drag_let_go:
    '“{fileName}” was not ready yet, so nothing was dropped. Drag it again and hold a little longer.',
  package_unreadable: 'This file is not an Appraiser Desk backup. Nothing was restored.',
  package_damaged:
    'This backup is damaged or incomplete. Nothing was restored. Take another copy of it, or an earlier backup.',
  package_passphrase_wrong:
    'The passphrase does not match this backup. Nothing was restored. Please try again.',
  package_other_connection:
    'This backup belongs to the connection “{name}”. Nothing was restored. Open that connection (or set it up) and try again.',
  backup_passphrase_missing:
    'Automatic backup is not possible: the keychain of this device has no passphrase for it. Set one under Settings › Backup.',
  resubmission_unsure:
    'This report was sent before and is not on the insurer’s side as it is here. Since then, however, a report has been submitted for the case; it may be this one, changed by the insurer or in an earlier version. Your report is still saved here. Check the case on the insurer’s side: if your report is missing there, submit it anyway; otherwise discard the entry.',
  restored_unsure:
    'This report comes from a backup, and another report has since been submitted for the case, perhaps from another device. Your report is still saved here. Check the case on the insurer’s side: if your report is missing there, submit it anyway; otherwise discard the entry.',
  reopening_unsure:
    'It is not known whether the case was reopened: no answer came, and the case has since changed on the insurer’s side and is closed. Your reason is still saved here. Check the case there; then try again or discard the entry.',
  key_unreadable:
    'This is not a readable private key but {found}. Nothing was saved. Choose the key file that was downloaded in your organization’s settings (PEM or JWK).',
  key_not_rsa:
    'The key is not an RSA key but {found}. Nothing was saved. Choose the RSA key of your organization.',
  key_too_short:
    'The RSA key has only {bits} bits. Nothing was saved. The insurer asks for at least 2048 bits; create a new key.',
  key_passphrase_needed:
    'The key is protected by a password. Nothing was saved. Enter the password of the key.',
  key_passphrase_wrong:
    'The password does not match this key. Nothing was saved. Please try again.',
  keychain_unavailable:
    'This system has no keychain. Nothing was stored unencrypted. Install one, or contact your IT.',
  keychain_locked:
    'The keychain of this system is locked. All data stay unchanged and encrypted on this device. Unlock it: sign in to the system again, or open the system’s password manager. Then try again.',
  keychain_unreachable:
    'The keychain of this system does not answer. All data stay unchanged and encrypted on this device. Sign in to the system again, or open the system’s password manager. Then try again.',
  keychain_entry_lost:
    'The key to the data on this device is missing from the keychain. The data are unchanged but cannot be opened. Set up the connection again with its key file. If that does not help, contact your IT.',
  vault_passphrase_wrong: 'The passphrase of the key store is wrong. Nothing was changed.',
  vault_passphrase_missing: 'The passphrase of the key store is missing. Nothing was changed.',
  no_connection: 'No connection to an insurer is set up yet.',
  connection_known:
    'The connection “{name}” already uses this address and client ID. Nothing was changed.',
  connection_holds_work:
    'This connection holds work that exists nowhere else. Outbox entries: {entries}, drafts: {drafts}, unsent entries in cases: {texts}, backups: {backups}. Nothing was removed. Check it and confirm again.',
  practice_only: 'This only works in the practice workspace. Open it under Settings › Connection.',
  credentials_invalid:
    'In the credentials, “{field}” is not right: {rule}. Nothing was saved. Check the file.',
  base_url_invalid:
    '“{field}” is not a usable address: {rule}. Nothing was saved. An address like https://api.example.ch is expected.',
  offline:
    '{host} cannot be reached: no connection. Your work is saved on this device[ and will be sent automatically once you are back online].',
  address_unknown:
    'The name {host} is not known on the network. Your work is saved on this device. Check the base address and the network connection.',
  connection_refused:
    '{host} refuses the connection. Your work is saved on this device[ and will be sent later]. If this persists, check the address and port.',
  connection_lost:
    'The connection to {host} was interrupted. Your work is saved on this device[ and will be retried automatically].',
  timeout:
    '{host} did not respond in time. Your work is saved on this device[ and will be retried automatically].',
  certificate_untrusted:
    'The certificate of {host} is not trusted: {reason}. Nothing was sent; your work is saved. Contact your IT. This check cannot be bypassed.',
  captive_portal:
    'Another page answered instead of the insurer, probably the sign-in page of a Wi-Fi network. Your work is saved. Sign in to the Wi-Fi in your browser.',
  proxy_sign_in:
    'The proxy on the way to {host} asks for a name and a password; Appraiser Desk signs in with the system’s account only. Your work is saved on this device. Report it to your IT.',
  answer_foreign:
    'A web page answered instead of the insurer (status {status}), for example from a firewall. Your work is saved here; if this persists, give the technical details to your IT or the insurer.',
  answer_too_large:
    'The insurer’s answer is larger than {maxMegabytes}\u00a0MB and was not read. Nothing was changed on this device. If this persists, give the insurer the technical details.',
  redirect_refused:
    '{host} wanted to send the request to another address, which Appraiser Desk refused. Your work is saved. Check the base address.',
  clock_wrong:
    'The insurer rejects the time of the requests; this device’s clock differs from its time by {offsetMinutes} {offsetMinutes|minute|minutes}. Your work is saved. Set the clock to automatic; if it is right, please tell the insurer.',
  id_unsafe:
    'The id “{id}” has characters that a server on the way could read as another address. So nothing is sent or asked about it. Please tell the insurer.',
  client_id_unknown:
    'The insurer does not know the client ID “{clientId}”. Check the client ID in the credentials.',
  key_rejected:
    'The insurer does not know this key for this client ID. Check that key file and client ID belong together.',
  access_revoked:
    'This device is no longer admitted by your office’s gateway. Unsent work remains on this device and can be backed up. Ask your IT for a new enrolment code.',
  code_refused:
    'This code is not accepted: it is incorrect, already used or expired. Nothing was saved. Check it, or ask your IT for a new one.',
  gateway_missing: 'There is no office gateway at {host}. Nothing was saved. Check the address.',
  audience_wrong:
    'The token address (audience) “{audience}” is not right. Enter it exactly as the insurer names it.',
  sign_in_refused:
    'The insurer refuses the sign-in and does not say why. Most likely the key does not belong to the client ID “{clientId}”, or the token address (audience) “{audience}” is written differently at the insurer, or it does not know the client ID. Check the three in this order.',
  path_unknown:
    'There is no such interface at {address} (status {status}). Your work is saved. Check the base address and, if your IT has set any, the paths.',
  organization_kind_wrong:
    'These credentials do not belong to an expert organization. Use the credentials of the experts.',
  unauthorized:
    'The sign-in was rejected. Your work is saved on this device. Check the connection; if this persists, give your IT the technical details.',
  rate_limited:
    'The insurer takes no further requests until {until}. Your work is saved[ and continues automatically afterwards].',
  limit_lowered:
    'The insurer’s system has lowered its limit (per minute: {perMinute} {bucket}). Nothing is lost, but everything takes longer. From {until} the normal pace is tried again.',
  server_refused:
    'The insurer did not accept this: {title}. Your work is still saved on this device. Check it and try again, or discard the entry.',
  server_failed:
    'An error occurred on the insurer’s side. Your work is saved on this device[ and will be retried automatically].',
  answer_invalid:
    'The insurer’s response does not have the agreed format. Nothing was changed on this device. If this persists, give your IT the technical details.',
  list_incomplete:
    'The insurer’s list of cases could not be read completely: {reason}. {seen} cases were read; the insurer counts {total}. What was read is here, but cases or changes may be missing.[ Appraiser Desk goes on trying.] Tell the insurer.',
  changes_unfiltered:
    'The insurer answers with all cases, although Appraiser Desk asks only for the changed ones ({parameter}). The whole list is therefore read each time, automatically only every 30 minutes. Tell the insurer or your IT.',
  records_unreadable:
    'Unreadable records from the insurer: {count}. The first is {id} (field “{place}”). They are kept unchanged; all others have been downloaded. Please report this to the insurer.',
  case_time_ahead:
    'Cases with a change date in the future: {count}. The first is {externalKey}. They are saved and shown. Please report this to the insurer.',
  answer_mismatch:
    'The insurer’s response does not match what was sent, and a check did not find it there either. It is still saved here and does not count as delivered. Try again, or ask the insurer (see technical details).',
  server_has_other:
    'The insurer confirmed your entry, but shows a different value: “{field}” is {found} there, and {sent} was sent. Yours is saved here and does not count as delivered. Send it again, change it, or discard it to accept theirs.',
  reopening_without_effect:
    'The insurer answered that the case is reopened, but it is still closed there. Your reopening is saved here. Try again, or ask the insurer.',
  report_still_draft:
    'The insurer answered that the report is submitted, but it is still a draft there. Your report is saved here and does not count as delivered. Try again, or ask the insurer.',
  report_not_listed:
    'The insurer answered that the report is submitted, but does not list it. Your report is saved here with its proof. Ask the insurer before you submit it again.',
  report_cancelled:
    'The insurer answered that the report is submitted, but shows it as cancelled and without a date of submission. Your report is saved here and does not count as delivered. Ask the insurer before you submit it again.',
  documents_not_there:
    'The insurer confirmed the documents, but does not have all of them: {count} missing, the first is {fileName}. Nothing was submitted; they are saved here. Try again, or ask the insurer.',
  documents_not_removed:
    'The insurer confirmed that surplus documents are deleted, but still has them: {count}, the first is {fileName}. Nothing was submitted; your report is saved here. Try again, or ask the insurer.',
  server_draft_gone:
    'Somebody keeps deleting this report’s draft at the insurer. Your report and its files are saved here. Find out who does it, then try again: the draft is created again with the same files.',
  case_awaits:
    'The case has the status “{status}”. Your work is saved[ and will be sent automatically once the case is accepted in the insurer’s portal].',
  server_draft_exists:
    'The insurer’s system already has a draft report for this case that was not created on this device. Your report is still saved here. Find out whose draft it is; then try again, or use it for your report.',
  server_draft_documents:
    'The draft report on the insurer’s side contains documents that are not from this device: {count}. Nothing was submitted; your report is still saved here. Submit with them, or remove them first.',
  server_case_gone:
    'You no longer have access to this case. Your work is still saved on this device. Ask your office or the insurer.',
  server_value_changed:
    '“{field}” has been changed in the meantime, probably in your organization: from {seen} to {found}. Your value: {mine} (saved). Choose which one applies.',
  outcome_unknown:
    'It is being checked whether the last item arrived. Your work is saved; nothing is sent again before that is clear.',
  home_in_use:
    'Appraiser Desk already has this folder open (process {pid}). Nothing was changed. Use that window, or close it first.',
  home_newer:
    'These data come from a newer version of Appraiser Desk. They are unchanged. Install the newer version.',
  home_unknown:
    'These data were made by a version of Appraiser Desk that was never released, and this version cannot read them. They are unchanged. What was not sent can only be sent with that version. To start from scratch, move the folder of Appraiser Desk away.',
  home_unwritable:
    'The folder of Appraiser Desk cannot be written to: {reason}. Check its permissions.',
  settings_restored:
    'The settings file {fileName} was missing, damaged or out of date. It was restored from its earlier versions and from the connections on this device. No work is lost. Check the settings.',
  workspace_orphaned:
    'This device holds data of a connection that the settings do not know: {folder}. Number: {count}; not sent, outbox entries: {entries}, drafts: {drafts}, entries in cases: {texts}. Nothing was removed. Set up the connection again with its client ID, address and key; if this message stays, keep the folder and contact your IT.',
  policy_invalid:
    'The policy file {fileName} is not valid. Place: {place}. Reason: {detail}. Nothing was started. Your IT must correct the file.',
  work_corrupt:
    'The file with your unsent work is damaged. It was set aside and not overwritten. You can restore its last verified backup under Settings › Backup.',
  work_lost:
    'The file with your unsent work is damaged, and none of its backups is intact. It was set aside and not overwritten. Check with the insurer what has arrived.',
  disk_full:
    'The disk is full. Saved work is unharmed; what was to be written just now was not saved. Free up space and try again.',
  files_exhausted:
    'The operating system gives the application no more open files. Saved work is unharmed. Close other programs and start this one again; if it happens again, your IT can raise the limit (ulimit -n).',
  internal:
    'An unexpected error occurred. Saved work is not affected. Try again; if that does not help, give your IT the reference {correlationId}.',
};

/** Of a request that reads and is refused: of the list of cases, and of anything else. */
export const readRefusals: ReadRefusals = {
  list: 'The insurer refuses the list of cases (status {status}): {title}. What was read before and your work are still saved on this device. Ask your office or the insurer.',
  other:
    'The insurer does not give this out (status {status}): {title}. What was read before and your work are still saved on this device. Ask your office or the insurer.',
};

/** What a command that ends adds to a sentence with a promise of the window. */
export const retryHint = 'Try again later; {command} sync sends what waits.';

export const commandLineHints: CommandLineHints = {
  keychain_unavailable: 'Without a keychain: use --vault passphrase and set DESK_VAULT_PASSPHRASE.',
  keychain_entry_lost: 'To start over and set the old data aside: --set-aside.',
  vault_passphrase_wrong: 'Check DESK_VAULT_PASSPHRASE.',
  vault_passphrase_missing: 'Set DESK_VAULT_PASSPHRASE.',
  no_connection: 'To set one up: {command} connect.',
  connection_holds_work: 'To confirm: --with-work.',
  home_unknown: 'For another folder: --home.',
  home_unwritable: 'For another folder: --home.',
  work_corrupt: 'To restore it: {command} restore --backup.',
};

export const errorWords: ErrorWords = {
  notEntered: 'not entered',
  unknown: 'unknown',
  fields: {
    connection: 'Connection',
    sheet: 'Sheet',
    folder: 'Folder',
    costEstimateRappen: 'Cost estimate',
    approvedRappen: 'Assessed amount',
    expertComment: 'Comment',
    comment: 'Comment',
    text: 'Text',
    reason: 'Reason',
    baseUrl: 'Base address',
    audience: 'Token address (audience)',
    clientId: 'Client ID',
    privateKey: 'Private key',
    privateKeyPem: 'Private key',
    keyPassphrase: 'Password of the key',
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
    kind_text_document: 'the insurer does not take this format; save it as PDF or as DOCX',
    kind_sheet: 'the insurer does not take this format; save it as PDF or as XLSX',
    kind_outlook: 'only Outlook can read this; save the email as EML or as PDF',
    kind_mail_program: 'only a mail program can read this; save the email as EML or as PDF',
    kind_video: 'the insurer takes no videos; add still images from it',
    kind_shortcut: 'it is a shortcut; add the file that it leads to',
    kind_cloud:
      'it stands for a file in a cloud; open it once, or make it available offline, and add the file itself',
    kind_download: 'its download is not complete; download it again and add the whole file',
    kind_ending:
      'its content would be accepted, but not under this name; give it the extension of its content, for example .pdf for a PDF',
    kind_archive:
      'the only archives that the insurer takes are ZIP files; unpack it and add the files',
    kind_mailbox:
      'it contains several emails, of which programs show only the first; save each as a separate file',
    kind_packing:
      'files in it are packed in a way that many programs cannot open; pack them again as an ordinary ZIP',
    pdf_pages: 'a page or a picture of it is missing',
    archive_directory: 'the list of its files is missing',
    archive_member: 'a file in it cannot be unpacked',
    office_main_part: 'its text is missing or breaks off',
    office_content: 'its content is not the Word or Excel document that its name says',
    office_sheet: 'a sheet or its text is missing',
    mail_end: 'its end is missing',
    text_end: 'its end is missing',
    text_control: 'it contains characters that are not text',
    template_damaged: 'it is not a readable Word document (.docx)',
    template_macros: 'the document contains macros; save it as .docx',
    template_active:
      'the document loads or starts something else (a link, a control, an embedded object)',
    template_too_large: 'the document is too large, or unpacks to more than a template needs',
    template_other_format:
      'it is not saved as a Word document (.docx) but, for example, as .dotx, .doc, .odt or “Strict Open XML”; save it in Word with “Save as” as a Word document (.docx)',
    template_unverified: 'the filled document would not be sound',
    annex_unreadable: 'it cannot be opened, or only with a password',
    annex_signed: 'it is digitally signed, and the signature would be lost',
    annex_form: 'its form cannot be turned into text',
    annex_unready: 'open the picture in “Edit photos” first',
    annex_kind: 'only PDFs and pictures can',
    not_deletable: 'the file could not be deleted after import',
    gateway_alone: 'with a gateway, base address, audience and client ID must not be given',
    no_certificate: 'it contains no certificate (PEM)',
    broken_certificate: 'a certificate in it is damaged (PEM)',
    private_network: 'not a private network such as 192.168.10.0/24',
    absolute: 'it must be a full path',
    not_a_picture: 'the content is not an image',
    cut_off: 'the end of the file is missing',
    too_large: 'it has more than 100 million pixels',
    too_many_pages: 'it has more than 100 pages',
    unsupported: 'this kind of TIFF is not supported; please save it as JPEG or PDF',
    too_slow: 'the file takes too long; it is probably damaged',
    broke_off:
      'making it ready broke off, probably because this device is short of memory; close other programs and add the photo again',
    unreadable: 'it cannot be read',
    required: 'it is missing',
    url: 'not a valid address',
    scheme: 'the address must begin with https://',
    'no-credentials': 'the address must not contain a user name or password',
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
    not_a_code: 'not a four-digit postal code or a range of two',
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
  },
  reasons: {
    repeats: 'the same page comes again and again',
    endless: 'it has no end',
    missing: 'cases that it counts are not listed',
    changing: 'it changed during every reading',
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
    ENOENT: 'the folder does not exist',
    EISDIR: 'it is a folder',
    EACCES: 'permission is missing',
    EPERM: 'permission is missing',
    EROFS: 'the disk is read-only',
    ENOTDIR: 'part of the path is not a folder',
  },
  titles: {
    forbidden: 'you have no access',
    not_found: 'the insurer does not know the case or the document',
    org_without_members: 'your organization has no members at the insurer',
    invalid_org_context: 'the credentials belong to another kind of organization',
    invalid_state: 'the state of the case does not allow it',
    invalid_document: 'a document is not valid',
    missing_documents: 'documents are missing from the report',
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
