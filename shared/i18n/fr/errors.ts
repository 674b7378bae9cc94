import type { CommandLineHints, ErrorSentences, ErrorWords, ReadRefusals } from '../texts.ts';

/**
 * French sentences, Swiss typography: what happened, what is safe, what to do. In brackets: what only
 * a desk that stays open can promise.
 */
export const errorSentences: ErrorSentences = {
  invalid_input:
    'La valeur de «{field}» n’est pas valable: {rule}. Rien n’a été modifié. Veuillez la corriger.',
  amount_not_a_number:
    '«{field}» n’est pas un montant: {value}. Rien n’a été modifié. Écrivez le montant par exemple ainsi: 12\u202f345.60.',
  amount_negative:
    '«{field}» ne peut pas être négatif. Rien n’a été modifié. Saisissez 0 ou davantage.',
  amount_too_many_decimals:
    '«{field}» a plus de deux chiffres après le point. Rien n’a été modifié. Saisissez le montant au centime près, avec un point devant les centimes.',
  amount_too_large:
    '«{field}» est trop élevé. Rien n’a été modifié. Le montant maximal est de CHF\u00a0999\u202f999\u202f999.99.',
  comment_too_long:
    'Le commentaire est trop long ({length} caractères). Rien n’a été modifié. Raccourcissez-le: {max} caractères au plus.',
  reason_missing:
    'Le motif manque. Rien n’a été modifié. Saisissez un motif de 1 à 4000 caractères.',
  reason_too_long:
    'Le motif est trop long ({length} caractères). Rien n’a été modifié. Raccourcissez-le à {max} caractères au plus.',
  case_ambiguous:
    '{count} dossiers ont le numéro {id}. Rien n’a été modifié. Choisissez le dossier dans la liste, ou désignez-le par son ID.',
  case_not_found:
    'Le dossier {id} n’est pas sur cet appareil. Vérifiez le numéro ou synchronisez d’abord.',
  document_not_found:
    'Ce document n’est pas connu sur cet appareil. Rechargez la liste des documents ou synchronisez.',
  positions_unknown:
    'Les positions de «{fileName}» ne sont pas lisibles avec certitude: il faut un PDF avec du texte ou un XLSX dont les positions donnent le total au centime près.',
  view_name_taken: 'Une vue «{name}» existe déjà. Veuillez choisir un autre nom.',
  view_not_found: 'La vue «{name}» n’existe plus: une autre fenêtre l’a supprimée.',
  draft_not_found:
    'Ce brouillon de rapport n’existe pas: il n’a pas été commencé, a été supprimé ou déjà transmis. Consultez la boîte d’envoi.',
  own_rule_invalid:
    'La règle de «Mes dossiers» n’est pas lisible, ligne {line}: «{text}», {rule}. Rien n’a été modifié. Écrivez un NPA ou une plage par ligne, par exemple 1000–1299.',
  text_block_invalid:
    'Le texte type «{entry}» contient à la ligne {line} un champ qui n’existe pas: {text}. Rien n’a été modifié.',
  texts_file_invalid:
    'Le fichier «{fileName}» ne contient pas de textes types ni de listes de contrôle. Rien n’a été modifié.',
  texts_entry_invalid: 'L’entrée {entry} du fichier est illisible: {rule}. Rien n’a été modifié.',
  sheet_unreadable:
    'Le tableau «{fileName}» n’est pas lisible à partir de la ligne {line}. Rien n’a été modifié. Enregistrez-le en CSV ou en XLSX.',
  sheet_columns:
    'Il manque au tableau le numéro de sinistre ou une colonne à importer. Rien n’a été modifié. Utilisez les en-têtes de la liste exportée: Numéro de sinistre, Devis, Montant approuvé, Commentaire.',
  sheet_not_found:
    '«{fileName}» n’a pas de feuille «{name}». Rien n’a été repris. Les feuilles sont: {names}.',
  sheet_cells_beyond:
    'La colonne {column} contient «{value}» mais n’a pas de titre. Un séparateur se trouve peut-être sans guillemets dans un texte ou un montant. Corrigez la ligne ou laissez-la de côté.',
  sheet_cell_control:
    'La colonne {column} contient des caractères de contrôle ou des lettres perdues (�). Corrigez-les ou enregistrez le tableau en CSV (UTF-8), puis relisez-le.',
  sheet_cell_quote:
    'Dans la colonne {column}, un texte commence par un guillemet qui n’est pas refermé. Ajoutez-le ou supprimez-le (un guillemet dans le texte se double), ou laissez la ligne de côté.',
  sheet_line_twice:
    'Ce dossier figure déjà à la ligne {line}. Rien n’a été modifié. Gardez une seule des deux lignes.',
  sheet_cell_empty:
    '«{field}» est une formule sans résultat enregistré. La ligne n’a pas été reprise. Ouvrez le tableau dans Excel et enregistrez-le de nouveau, ou saisissez la valeur.',
  sheet_cell_failed:
    '«{field}» est une formule en erreur: {value}. La ligne n’a pas été reprise. Corrigez le tableau.',
  template_refused:
    '«{fileName}» ne peut pas servir de modèle: {rule}{thing}. Rien n’a été ajouté.',
  template_ambiguous:
    'Plusieurs modèles s’appellent «{name}». Rien n’a été modifié. Nommez l’un d’eux ainsi: {ids}.',
  template_wrong_category:
    'Le modèle «{fileName}» est destiné aux dossiers d’une autre catégorie. Rien n’a été rempli. Choisissez un modèle pour ce dossier.',
  template_not_found:
    'Ce modèle n’existe plus: il a été supprimé, ou son répertoire est inaccessible. Choisissez-en un autre.',
  template_folder_unreachable:
    'Le répertoire des modèles de votre organisation est inaccessible: {folder}. Ses modèles manquent tant qu’il ne répond pas; les autres peuvent être remplis.',
  template_faulty:
    'Le modèle «{fileName}» a {count} {count|erreur|erreurs} et ne peut pas être rempli. Les réglages indiquent les endroits; corrigez-les dans Word.',
  pdf_program_missing:
    'Il n’y a pas de LibreOffice sur cet appareil pour produire un PDF. Le rapport est inchangé. Exportez le PDF dans Word.',
  pdf_not_made:
    'Aucun PDF n’a pu être produit à partir de «{fileName}». Le rapport est inchangé. Exportez le PDF dans Word ou LibreOffice.',
  pdf_incomplete:
    'Il manque quelque chose dans le PDF «{fileName}»: {thing}. Il n’a pas été repris, et le rapport est inchangé. Exportez le PDF dans Word ou LibreOffice.',
  annex_not_bound:
    '«{fileName}» ne peut pas faire partie du PDF unique: {rule}. Le rapport est inchangé. Décochez le fichier; il sera alors transmis séparément.',
  document_open:
    '«{fileName}» est encore ouvert dans Word ou LibreOffice. Rien n’a été modifié. Fermez-le d’abord; ce que vous enregistrez ensuite devient un autre document du brouillon.',
  queue_row_not_found: 'La boîte d’envoi n’a pas d’entrée {id}. Vérifiez le numéro.',
  queue_row_state:
    'L’entrée {id} est dans l’état «{state}», qui ne le permet pas. Rien n’a été modifié.',
  newer_act:
    'Vous avez fait depuis l’entrée {id} pour ce dossier, et elle est maintenue. Rien n’a été modifié.',
  case_state: 'Le dossier a le statut «{status}», qui ne le permet pas. Rien n’a été modifié.',
  file_not_found:
    'Le fichier «{fileName}» est introuvable ou illisible. Rien n’a été ajouté. Vérifiez son nom et son répertoire.',
  file_unreadable:
    '«{fileName}» n’est pas lisible et n’a pas été ajouté: le fichier a été déplacé, est ouvert dans un autre programme ou se trouve dans un cloud. Ouvrez-le une fois, fermez-le, puis ajoutez-le de nouveau.',
  file_not_regular:
    '«{fileName}» n’est pas un fichier ordinaire, mais un périphérique ou un tube. Rien n’a été lu. Enregistrez le contenu dans un fichier et choisissez celui-ci.',
  file_is_link:
    '«{fileName}» est un lien, qui n’est pas suivi. Rien n’en a été ajouté. Placez le fichier lui-même dans le répertoire.',
  file_changing:
    'Le fichier «{fileName}» est encore en cours d’écriture. Réessayez dans quelques secondes.',
  file_empty: 'Le fichier «{fileName}» est vide et n’a pas été ajouté.',
  file_too_large:
    'Le fichier «{fileName}» est trop grand ({sizeBytes}). Il n’a pas été ajouté. Le maximum est de {maxBytes}; réduisez-le ou divisez-le.',
  file_type_not_allowed:
    'L’assureur n’accepte pas le type du fichier «{fileName}». Il n’a pas été ajouté. Sont permis: PDF, JPEG, PNG, WebP, HEIC, TIFF, texte, CSV, e-mail (EML), ZIP, Word (DOCX) et Excel (XLSX).',
  file_type_mismatch:
    'Le contenu du fichier «{fileName}» ne correspond pas à son nom. Il n’a pas été ajouté. Ouvrez-le dans son programme d’origine et enregistrez-le à nouveau.',
  office_protected:
    'Le fichier «{fileName}» est protégé par un mot de passe ou a l’ancien format d’Office (DOC, XLS). Il n’a pas été ajouté. Enregistrez-le sans mot de passe au format DOCX ou XLSX.',
  file_name_invalid:
    'Le nom de fichier «{fileName}» n’est pas permis: {rule}. Le fichier n’a pas été ajouté. Renommez-le.',
  file_kind: 'Le fichier «{fileName}» n’a pas été ajouté: {rule}.',
  file_in_cloud:
    '«{fileName}» se trouve dans un cloud et non sur cet appareil. Le fichier n’a pas été ajouté. Ouvrez-le une fois ou rendez son dossier disponible hors ligne, puis ajoutez-le de nouveau.',
  pdf_damaged:
    'Le fichier PDF «{fileName}» est endommagé ou incomplet et ne peut pas être ouvert. Il n’a pas été ajouté. Enregistrez-le ou numérisez-le à nouveau.',
  pdf_looks_damaged:
    'Des images du fichier PDF «{fileName}» semblent endommagées, et sans la fenêtre personne ne le voit avant l’envoi. Il n’a pas été ajouté. Regardez-en les pages; numérisez-le à nouveau ou ajoutez-le dans la fenêtre.',
  file_damaged:
    'Le fichier «{fileName}» est endommagé ou incomplet: {rule}. Il n’a pas été ajouté. Copiez-le ou enregistrez-le de nouveau.',
  file_too_heavy:
    '«{fileName}» ne peut pas être ouvert jusqu’à la fin: décompressé, le fichier demande plus de mémoire ou de temps qu’aucun document. Il n’a pas été ajouté. Enregistrez-le de nouveau, par exemple en l’imprimant en PDF, ou divisez-le.',
  file_unchecked:
    '«{fileName}» n’a pas pu être vérifié, parce que la mémoire de cet appareil ne suffit pas ou que la vérification s’est interrompue. Le fichier n’a pas été ajouté. Fermez d’autres programmes et ajoutez-le de nouveau; si cela ne suffit pas, redémarrez Appraiser Desk.',
  mail_files_left_out:
    '«{fileName}» contient plus de 1000 fichiers. Ces {n} fichiers n’ont pas été ajoutés: {names}. Ouvrez l’e-mail dans votre messagerie et enregistrez-les depuis celle-ci.',
  photo_changed:
    'Votre dernière modification de «{fileName}» n’a pas été enregistrée, parce qu’une autre fenêtre d’Appraiser Desk a modifié la photo avant elle. La photo est affichée dans son état actuel; refaites votre modification.',
  photo_unusable:
    'La photo «{fileName}» n’a pas été ajoutée au rapport: {rule}. Le fichier d’origine reste inchangé.',
  hand_over_unsure:
    'L’attribution n’est pas confirmée: la passerelle du bureau a répondu pour {done} dossiers sur {total}. Recommencez dès qu’elle est joignable; la même attribution répétée ne change rien.',
  hand_over_refused:
    'La passerelle du bureau a refusé l’attribution: la personne n’y existe plus, ou cet appareil n’a plus le droit d’attribuer. Dossiers attribués: {done} sur {total}. Adressez-vous à la personne qui gère la passerelle.',
  hand_over_stopped:
    'La passerelle du bureau n’était pas joignable ou n’a pas effectué l’attribution. Dossiers attribués: {done} sur {total}. Recommencez plus tard; la même attribution répétée ne change rien.',
  draft_filled_otherwise:
    'Un brouillon de ce dossier contient déjà un document rempli avec d’autres valeurs. Il reste tel quel: remplissez-le de nouveau ou supprimez-le.',
  photo_unready:
    'La photo «{fileName}» ne peut pas être transmise sans la fenêtre: le lieu, l’appareil photo et d’autres données cachées n’ont pas pu être retirés (fichier endommagé ou trop grand). Ouvrez le rapport dans la fenêtre; la photo y est préparée, ou la raison y est indiquée.',
  telephone_unavailable:
    'Aucun téléphone ne peut être connecté pour l’instant: cet appareil n’est sur aucun réseau privé autorisé à cet effet. Rien n’a été modifié. Connectez-le au réseau du bureau ou au partage de connexion du téléphone.',
  draft_without_documents:
    'Le rapport n’a pas encore de fichier. Le brouillon reste enregistré. Ajoutez au moins un fichier.',
  draft_busy:
    'Les fichiers de ce rapport sont encore en cours de traitement. Le rapport n’est pas encore soumis. Réessayez quand ils seront prêts.',
  file_exists:
    'Il existe déjà un fichier {fileName}. Il n’a pas été écrasé. Choisissez un autre nom.',
  file_unwritable:
    'Le fichier {fileName} ne peut pas être écrit: {reason}. Choisissez un autre emplacement.',
  file_not_opened:
    'Le contenu de «{fileName}» ne correspond pas à son nom. Le document n’a été transmis à aucun autre programme. Si vous en avez besoin, enregistrez une copie.',
  no_program:
    'Aucun programme de cet appareil n’a pu ouvrir «{fileName}». Enregistrez une copie et ouvrez-la vous-même.',
  drag_let_go:
    '«{fileName}» n’était pas encore prêt quand vous avez relâché. Rien n’a été déposé. Faites-le glisser à nouveau en gardant le bouton enfoncé plus longtemps.',
  package_unreadable:
    'Ce n’est pas un fichier de sauvegarde que l’application puisse lire. Rien n’a été restauré.',
  package_damaged:
    'Ce fichier de sauvegarde est endommagé ou incomplet. Rien n’a été restauré. Prenez-en une autre copie, ou une sauvegarde antérieure.',
  package_passphrase_wrong:
    'La phrase secrète ne correspond pas à ce fichier de sauvegarde. Rien n’a été restauré. Réessayez.',
  package_other_connection:
    'Ce fichier de sauvegarde appartient à la connexion «{name}». Rien n’a été restauré. Ouvrez ou configurez cette connexion, puis réessayez.',
  backup_passphrase_missing:
    'Aucune sauvegarde automatique n’est possible: le trousseau de cet appareil ne contient pas de phrase secrète à cet effet. Définissez-en une sous Réglages › Sauvegarde.',
  resubmission_unsure:
    'Ce rapport a déjà été envoyé et ne se trouve pas chez l’assureur tel qu’il est ici. Depuis, un rapport a cependant été soumis pour le dossier; c’est peut-être celui-ci, modifié par l’assureur ou dans une version antérieure. Votre rapport est encore enregistré ici. Vérifiez le dossier chez l’assureur: si votre rapport y manque, soumettez-le quand même, sinon abandonnez l’entrée.',
  restored_unsure:
    'Ce travail vient d’un fichier de sauvegarde, et un rapport de ce dossier a été soumis depuis, peut-être par un autre appareil. Votre rapport reste enregistré ici. Vérifiez le dossier auprès de l’assureur: si votre rapport y manque, soumettez-le quand même, sinon abandonnez l’entrée.',
  reopening_unsure:
    'On ne sait pas si le dossier a été rouvert: aucune réponse n’est arrivée et, depuis, le dossier a été modifié chez l’assureur et clos. Votre motif reste enregistré ici. Vérifiez le dossier auprès de l’assureur: s’il doit être rouvert, réessayez, sinon abandonnez l’entrée.',
  key_unreadable:
    'Ce n’est pas une clé privée lisible, mais {found}. Rien n’a été enregistré. Choisissez le fichier de clé téléchargé dans les paramètres de votre organisation (PEM ou JWK).',
  key_not_rsa:
    'La clé n’est pas une clé RSA, mais {found}. Rien n’a été enregistré. Choisissez la clé RSA de votre organisation.',
  key_too_short:
    'La clé RSA n’a que {bits} bits. Rien n’a été enregistré. L’assureur exige au moins 2048 bits; créez une nouvelle clé.',
  key_passphrase_needed:
    'La clé est protégée par un mot de passe. Rien n’a été enregistré. Indiquez le mot de passe de la clé.',
  key_passphrase_wrong:
    'Le mot de passe ne correspond pas à cette clé. Rien n’a été enregistré. Essayez encore une fois.',
  keychain_unavailable:
    'Ce système n’a pas de trousseau de clés. Rien n’a été enregistré sans chiffrement. Installez-en un ou adressez-vous à votre service informatique.',
  keychain_locked:
    'Le trousseau de clés de ce système est verrouillé. Toutes les données restent inchangées et chiffrées sur cet appareil. Déverrouillez-le: ouvrez une nouvelle session du système, ou ouvrez le gestionnaire de mots de passe du système. Puis essayez encore une fois.',
  keychain_unreachable:
    'Le trousseau de clés de ce système ne répond pas. Toutes les données restent inchangées et chiffrées sur cet appareil. Ouvrez une nouvelle session du système, ou ouvrez le gestionnaire de mots de passe du système. Puis essayez encore une fois.',
  keychain_entry_lost:
    'La clé des données de cet appareil manque dans le trousseau. Les données sont inchangées, mais ne peuvent pas être ouvertes. Configurez de nouveau la connexion avec son fichier de clé. Si cela ne suffit pas, adressez-vous à votre service informatique.',
  vault_passphrase_wrong:
    'La phrase secrète du coffre de clés est incorrecte. Rien n’a été modifié.',
  vault_passphrase_missing: 'La phrase secrète du coffre de clés manque. Rien n’a été modifié.',
  no_connection: 'Aucune connexion à un assureur n’est configurée.',
  connection_known:
    'La connexion «{name}» a déjà cette adresse et ce Client ID. Rien n’a été modifié.',
  connection_holds_work:
    'Cette connexion contient du travail qui n’existe nulle part ailleurs. Entrées de la boîte d’envoi: {entries}, brouillons: {drafts}, saisies: {texts}, sauvegardes: {backups}. Rien n’a été supprimé. Vérifiez-le et confirmez encore une fois.',
  practice_only:
    'Cette action n’est possible que dans l’espace d’exercice. Ouvrez-le dans les réglages sous «Connexion».',
  credentials_invalid:
    'Dans les données d’accès, «{field}» n’est pas correct: {rule}. Rien n’a été enregistré. Vérifiez le fichier.',
  base_url_invalid:
    '«{field}» n’est pas une adresse utilisable: {rule}. Rien n’a été enregistré. Une adresse comme https://api.example.ch est attendue.',
  offline:
    '{host} n’est pas joignable: pas de connexion. Votre travail est enregistré sur cet appareil[ et sera transmis automatiquement dès que vous serez de nouveau en ligne].',
  address_unknown:
    'Le nom {host} est inconnu sur internet. Votre travail est enregistré sur cet appareil. Vérifiez l’adresse de base et votre connexion.',
  connection_refused:
    '{host} n’accepte pas de connexion. Votre travail est enregistré sur cet appareil[ et sera transmis plus tard]. Si cela persiste, vérifiez l’adresse et le port.',
  connection_lost:
    'La connexion à {host} a été coupée. Votre travail est enregistré sur cet appareil[; l’application réessaie automatiquement].',
  timeout:
    '{host} n’a pas répondu à temps. Votre travail est enregistré sur cet appareil[; l’application réessaie automatiquement].',
  certificate_untrusted:
    'Le certificat de {host} n’est pas digne de confiance: {reason}. Rien n’a été transmis; votre travail est enregistré. Avertissez votre service informatique; ce contrôle ne peut pas être contourné.',
  captive_portal:
    'Une autre page a répondu à la place de l’assureur, sans doute la page de connexion d’un réseau Wi-Fi. Aucune donnée n’a été reprise; votre travail est enregistré. Connectez-vous au Wi-Fi dans le navigateur.',
  proxy_sign_in:
    'Le proxy sur le chemin de {host} demande un nom et un mot de passe; Appraiser Desk ne s’authentifie qu’avec le compte du système. Votre travail est enregistré sur cet appareil. Signalez-le à votre service informatique.',
  answer_foreign:
    'Une page web a répondu à la place de l’assureur (statut {status}), par exemple celle d’un pare-feu. Votre travail est enregistré ici; si cela persiste, transmettez les détails techniques à votre service informatique ou à l’assureur.',
  answer_too_large:
    'La réponse de l’assureur dépasse {maxMegabytes}\u00a0Mo et n’a pas été lue. Rien n’a été modifié sur cet appareil. Si cela persiste, transmettez les détails techniques à l’assureur.',
  redirect_refused:
    '{host} a voulu rediriger la requête vers une autre adresse; l’application l’a refusé. Votre travail est enregistré. Vérifiez l’adresse de base.',
  clock_wrong:
    'L’assureur rejette l’heure des requêtes; l’horloge de cet appareil diffère de {offsetMinutes} {offsetMinutes|minute|minutes} de la sienne. Votre travail est enregistré. Activez le réglage automatique de l’heure; si elle est juste, signalez-le à l’assureur.',
  id_unsafe:
    'L’identifiant «{id}» contient des caractères qu’un serveur intermédiaire pourrait lire comme une autre adresse. Rien n’est donc transmis ni demandé à son sujet. Signalez-le à l’assureur.',
  client_id_unknown:
    'L’assureur ne connaît pas le Client ID «{clientId}». Vérifiez-le dans les données d’accès.',
  key_rejected:
    'L’assureur ne connaît pas cette clé pour ce Client ID. Vérifiez que le fichier de clé et le Client ID vont ensemble.',
  access_revoked:
    'La passerelle de votre bureau n’admet plus cet appareil: son accès a été révoqué. Le travail non transmis reste sur cet appareil et peut être sauvegardé. Demandez un nouveau code d’activation à votre service informatique.',
  code_refused:
    'La passerelle n’accepte pas ce code: il est mal saisi, déjà utilisé ou expiré. Rien n’a été enregistré. Vérifiez-le ou demandez-en un nouveau à votre service informatique.',
  gateway_missing:
    'Il n’y a pas de passerelle de bureau à l’adresse {host}. Rien n’a été enregistré. Vérifiez l’adresse.',
  audience_wrong:
    'L’adresse du jeton (audience) «{audience}» n’est pas correcte. Reprenez-la exactement comme l’assureur l’indique.',
  sign_in_refused:
    'L’assureur refuse la connexion sans en dire la raison. Le plus probable: la clé ne correspond pas au Client ID «{clientId}»; ou l’adresse du jeton (audience) «{audience}» s’écrit autrement chez l’assureur; ou il ne connaît pas le Client ID. Vérifiez-les dans cet ordre.',
  path_unknown:
    'Cette interface n’existe pas à l’adresse {address} (statut {status}). Votre travail est enregistré. Vérifiez l’adresse de base et, si votre service informatique en a défini, les chemins.',
  organization_kind_wrong:
    'Ces données d’accès n’appartiennent pas à une organisation d’experts. Utilisez celles des experts.',
  unauthorized:
    'L’assureur a refusé l’authentification. Votre travail est enregistré sur cet appareil. Vérifiez la connexion; si cela persiste, transmettez les détails techniques à votre service informatique.',
  rate_limited:
    'L’assureur n’accepte plus de requêtes jusqu’au {until}. Votre travail est enregistré[; la transmission reprendra ensuite automatiquement].',
  limit_lowered:
    'L’assureur n’admet actuellement que {perMinute} {bucket} par minute. Rien ne se perd, mais tout prend plus de temps; dès le {until}, la cadence sera de nouveau augmentée.',
  server_refused:
    'L’assureur a refusé cette transmission: {title}. Votre travail reste enregistré sur cet appareil. Consultez les détails et réessayez, ou abandonnez l’entrée.',
  server_failed:
    'Une erreur s’est produite chez l’assureur. Votre travail est enregistré sur cet appareil[; l’application réessaie automatiquement].',
  answer_invalid:
    'La réponse de l’assureur ne correspond pas au format convenu. Rien n’a été modifié sur cet appareil. Si cela persiste, transmettez les détails techniques à votre service informatique.',
  list_incomplete:
    'La liste des dossiers de l’assureur n’a pas pu être lue en entier: {reason}. {seen} dossiers ont été lus; l’assureur en compte {total}. Ce qui a été lu est ici, mais des dossiers ou des modifications peuvent manquer.[ L’application continue d’essayer.] Signalez-le à l’assureur.',
  changes_unfiltered:
    'L’assureur répond avec tous les dossiers, bien que seuls les dossiers modifiés soient demandés ({parameter}). Toute la liste est donc lue chaque fois, automatiquement toutes les 30 minutes seulement. Signalez-le à l’assureur ou à votre service informatique.',
  records_unreadable:
    'Éléments de l’assureur illisibles: {count}; le premier est {id}, à l’endroit «{place}». Ils sont conservés tels qu’ils sont arrivés, et tous les autres sont là. Signalez-le à l’assureur.',
  case_time_ahead:
    'Dossiers dont la date de modification chez l’assureur est dans le futur: {count}; le premier est {externalKey}. Ils sont enregistrés et affichés. Signalez-le à l’assureur.',
  answer_mismatch:
    'La réponse de l’assureur ne correspond pas à ce qui a été transmis, et la vérification n’en a pas trouvé trace chez l’assureur. Votre saisie reste enregistrée ici et n’est pas considérée comme transmise. Réessayez ou renseignez-vous auprès de l’assureur; les détails techniques précisent l’endroit.',
  server_has_other:
    'L’assureur a confirmé votre saisie, mais affiche une autre valeur: «{field}» y est {found}, et {sent} a été transmis. Votre saisie est enregistrée ici et ne compte pas comme transmise. Transmettez-la de nouveau, modifiez-la, ou abandonnez-la pour accepter la valeur de l’assureur.',
  reopening_without_effect:
    'L’assureur a confirmé la réouverture, mais le dossier y est toujours clos. Votre réouverture est enregistrée ici. Réessayez, ou demandez à l’assureur.',
  report_still_draft:
    'L’assureur a confirmé que le rapport est soumis, mais il y est toujours un brouillon. Votre rapport est enregistré ici et ne compte pas comme transmis. Réessayez, ou demandez à l’assureur.',
  report_not_listed:
    'L’assureur a confirmé que le rapport est soumis, mais ne le répertorie pas. Votre rapport est enregistré ici avec sa preuve. Demandez à l’assureur avant de le soumettre encore une fois.',
  report_cancelled:
    'L’assureur a confirmé que le rapport est soumis, mais l’affiche comme annulé et sans date de soumission. Votre rapport est enregistré ici et ne compte pas comme transmis. Demandez à l’assureur avant de le soumettre encore une fois.',
  documents_not_there:
    'L’assureur a confirmé les documents, mais ne les a pas tous: {count} {count|manque|manquent}, le premier est {fileName}. Rien n’a été soumis; ils sont enregistrés ici. Réessayez, ou demandez à l’assureur.',
  documents_not_removed:
    'L’assureur a confirmé la suppression de documents en trop, mais les a encore: {count}, le premier est {fileName}. Rien n’a été soumis; votre rapport est enregistré ici. Réessayez, ou demandez à l’assureur.',
  server_draft_gone:
    'Quelqu’un supprime chaque fois le brouillon de ce rapport chez l’assureur. Votre rapport et ses fichiers sont enregistrés ici. Trouvez qui le fait, puis réessayez: le brouillon sera recréé avec les mêmes fichiers.',
  case_awaits:
    'Le dossier a le statut «{status}». Votre travail est enregistré ici[ et sera transmis automatiquement dès que le dossier aura été accepté dans le portail de l’assureur].',
  server_draft_exists:
    'Chez l’assureur, un brouillon de rapport qui ne vient pas de cet appareil est déjà ouvert pour ce dossier. Votre rapport reste enregistré ici. Vérifiez à qui appartient cet autre brouillon; ensuite, réessayez ou utilisez-le pour votre rapport.',
  server_draft_documents:
    'Le brouillon de rapport chez l’assureur contient des documents qui ne viennent pas de cet appareil: {count}. Rien n’a été soumis; votre rapport reste enregistré ici. Faites-les retirer par leur auteur et réessayez, ou décidez ici: soumettre avec ces documents ou les supprimer d’abord.',
  server_case_gone:
    'Vous n’avez plus accès à ce dossier. Votre travail reste enregistré sur cet appareil. Renseignez-vous dans votre bureau ou auprès de l’assureur.',
  server_value_changed:
    '«{field}» a été modifié entre-temps, sans doute par une personne de votre organisation, car seuls les experts fixent cette valeur. Avant: {seen}; maintenant: {found}; votre valeur: {mine}. Votre valeur est enregistrée. Choisissez laquelle doit être retenue.',
  outcome_unknown:
    'On ne sait pas encore si l’assureur a exécuté la dernière transmission. Votre travail est enregistré; l’application interroge l’assureur avant de répéter une transmission.',
  home_in_use:
    'Une autre fenêtre de l’application utilise déjà ce répertoire de données (processus {pid}). Rien n’a été modifié. Utilisez-la ou fermez-la d’abord.',
  home_newer:
    'Ces données viennent d’une version plus récente de l’application. Elles n’ont pas été modifiées. Installez la version plus récente.',
  home_unknown:
    'Ces données viennent d’une version jamais publiée de l’application, et cette version ne peut pas les lire. Elles n’ont pas été modifiées. Ce qui n’est pas transmis ne peut l’être qu’avec l’autre version. Pour recommencer, déplacez le répertoire d’Appraiser Desk.',
  home_unwritable:
    'Impossible d’écrire dans le répertoire de données de l’application: {reason}. Vérifiez les droits d’accès.',
  settings_restored:
    'Le fichier de réglages {fileName} manquait, était endommagé ou trop ancien. Il a été rétabli à partir de ses versions antérieures et des connexions présentes sur cet appareil. Aucun travail n’est perdu. Vérifiez les réglages.',
  workspace_orphaned:
    'Cet appareil contient des données d’une connexion que les réglages ne connaissent pas: {folder}. Nombre: {count}; non transmis, entrées de la boîte d’envoi: {entries}, brouillons: {drafts}, saisies: {texts}. Rien n’a été supprimé. Configurez de nouveau la connexion avec son Client ID, son adresse et sa clé; si l’avis persiste, conservez le répertoire et adressez-vous à votre service informatique.',
  policy_invalid:
    'Le fichier de directives {fileName} n’est pas valable. Endroit: {place}. Raison: {detail}. Rien n’a été démarré. Votre service informatique doit corriger le fichier.',
  work_corrupt:
    'Le fichier de votre travail non transmis est endommagé. Il a été mis de côté sans être écrasé. Vous pouvez restaurer la dernière sauvegarde vérifiée sous Réglages › Sauvegarde.',
  work_lost:
    'Le fichier de votre travail non transmis est endommagé, et aucune de ses sauvegardes n’est intacte. Il a été mis de côté sans être écrasé; vérifiez auprès de l’assureur ce qui est arrivé.',
  disk_full:
    'Le disque est plein. Ce qui était déjà enregistré est intact; ce qui devait être écrit à l’instant ne l’a pas été. Libérez de la place et réessayez.',
  files_exhausted:
    'Le système d’exploitation n’accorde plus de fichiers ouverts au programme. Ce qui était enregistré est intact. Fermez d’autres programmes et redémarrez celui-ci; si cela se reproduit, votre service informatique peut relever la limite (ulimit -n).',
  internal:
    'Une erreur inattendue s’est produite dans l’application. Le travail enregistré n’est pas touché. Réessayez; si cela ne suffit pas, communiquez la référence {correlationId} à votre service informatique.',
};

/** Of a request that reads and is refused: of the list of cases, and of anything else. */
export const readRefusals: ReadRefusals = {
  list: 'L’assureur refuse la liste des dossiers (statut {status}): {title}. Ce qui a été lu auparavant et votre travail restent enregistrés sur cet appareil. Renseignez-vous dans votre bureau ou auprès de l’assureur.',
  other:
    'L’assureur refuse de le communiquer (statut {status}): {title}. Ce qui a été lu auparavant et votre travail restent enregistrés sur cet appareil. Renseignez-vous dans votre bureau ou auprès de l’assureur.',
};

/** What a command that ends adds to a sentence with a promise of the window. */
export const retryHint = 'Réessayez plus tard; {command} sync transmet ce qui attend.';

export const commandLineHints: CommandLineHints = {
  keychain_unavailable: 'Sans trousseau: --vault passphrase, avec DESK_VAULT_PASSPHRASE.',
  keychain_entry_lost: 'Pour recommencer et mettre les anciennes données de côté: --set-aside.',
  vault_passphrase_wrong: 'Vérifiez DESK_VAULT_PASSPHRASE.',
  vault_passphrase_missing: 'Définissez DESK_VAULT_PASSPHRASE.',
  no_connection: 'Pour en configurer une: {command} connect.',
  connection_holds_work: 'Pour confirmer: --with-work.',
  home_unknown: 'Pour un autre répertoire: --home.',
  home_unwritable: 'Pour un autre répertoire: --home.',
  work_corrupt: 'Pour restaurer: {command} restore --backup.',
};

export const errorWords: ErrorWords = {
  notEntered: 'non saisi',
  unknown: 'inconnu',
  fields: {
    connection: 'Connexion',
    sheet: 'Tableau',
    folder: 'Répertoire',
    costEstimateRappen: 'Devis',
    approvedRappen: 'Montant approuvé',
    expertComment: 'Commentaire',
    comment: 'Commentaire',
    text: 'Texte',
    reason: 'Motif',
    baseUrl: 'Adresse de base',
    audience: 'Adresse du jeton (audience)',
    clientId: 'Client ID',
    privateKey: 'Clé privée',
    privateKeyPem: 'Clé privée',
    keyPassphrase: 'Mot de passe de la clé',
    scope: 'Scope',
    name: 'Nom',
    fileName: 'Nom du fichier',
    status: 'Statut',
    category: 'Catégorie',
    file: 'Fichier',
    passphrase: 'Phrase secrète',
    id: 'Numéro',
  },
  rules: {
    kind_text_document:
      'l’assureur n’accepte pas ce format; enregistrez le fichier en PDF ou en DOCX',
    kind_sheet: 'l’assureur n’accepte pas ce format; enregistrez le fichier en PDF ou en XLSX',
    kind_outlook: 'seul Outlook peut lire ce fichier; enregistrez l’e-mail en EML ou en PDF',
    kind_mail_program:
      'seul un programme de messagerie peut lire ce fichier; enregistrez l’e-mail en EML ou en PDF',
    kind_video: 'l’assureur n’accepte pas de vidéos; ajoutez-en des images',
    kind_shortcut: 'c’est un raccourci; ajoutez le fichier auquel il mène',
    kind_cloud:
      'il représente un fichier dans un cloud; ouvrez-le une fois ou rendez-le disponible hors ligne, puis ajoutez le fichier lui-même',
    kind_download:
      'son téléchargement n’est pas terminé; téléchargez-le de nouveau et ajoutez le fichier entier',
    kind_ending:
      'son contenu serait accepté, mais pas sous ce nom; donnez-lui l’extension de son contenu, par exemple .pdf pour un PDF',
    kind_archive:
      'parmi les archives, l’assureur n’accepte que le ZIP; décompressez-la et ajoutez les fichiers',
    kind_mailbox:
      'il contient plusieurs e-mails, dont les programmes n’affichent que le premier; enregistrez-les séparément',
    kind_packing:
      'des fichiers y sont compressés d’une manière que beaucoup de programmes ne savent pas ouvrir; compressez-les de nouveau en un ZIP ordinaire',
    pdf_pages: 'une page ou une image manque',
    archive_directory: 'la liste des fichiers contenus manque',
    archive_member: 'un fichier contenu ne peut pas être décompressé',
    office_main_part: 'le texte manque ou s’interrompt',
    office_content: 'le contenu n’est pas le document Word ou Excel que son extension annonce',
    office_sheet: 'une feuille ou son texte manque',
    mail_end: 'la fin manque',
    text_end: 'la fin manque',
    text_control: 'il contient des caractères qui ne sont pas du texte',
    template_damaged: 'ce n’est pas un document Word lisible (.docx)',
    template_macros: 'le document contient des macros; enregistrez-le en .docx',
    template_active: 'le document charge ou démarre autre chose (lien, contrôle, objet incorporé)',
    template_too_large:
      'le document est trop grand, ou contient plus que ce qu’il faut à un modèle',
    template_other_format:
      'le document n’est pas enregistré comme document Word (.docx), mais par exemple en .dotx, .doc, .odt ou «Strict Open XML»; enregistrez-le dans Word avec «Enregistrer sous» comme document Word (.docx)',
    template_unverified: 'le document rempli ne serait pas correct',
    annex_unreadable: 'il ne s’ouvre pas, ou seulement avec un mot de passe',
    annex_signed: 'il est signé numériquement, et la signature serait perdue',
    annex_form: 'son formulaire ne peut pas être converti en texte',
    annex_unready: 'ouvrez d’abord l’image dans «Modifier les photos»',
    annex_kind: 'seuls les PDF et les images le peuvent',
    not_deletable: 'l’application ne pourrait pas le supprimer après l’avoir importé',
    gateway_alone:
      'avec une passerelle, il n’y a ni adresse de base, ni audience, ni Client ID: elle les fournit elle-même',
    no_certificate: 'il ne contient pas de certificat (PEM)',
    broken_certificate: 'un certificat qu’il contient est endommagé (PEM)',
    private_network: 'pas un réseau privé tel que 192.168.10.0/24',
    absolute: 'il faut un chemin complet',
    not_a_picture: 'son contenu n’est pas une image',
    cut_off: 'la fin du fichier manque',
    too_large: 'elle a plus de 100 millions de pixels',
    too_many_pages: 'plus de 100 pages',
    unsupported:
      'ce type de TIFF n’est pas pris en charge; veuillez l’enregistrer en JPEG ou en PDF',
    too_slow: 'le fichier prend trop de temps; il est probablement endommagé',
    broke_off:
      'la préparation s’est interrompue, sans doute parce que la mémoire de cet appareil ne suffit pas; fermez d’autres programmes et ajoutez la photo de nouveau',
    unreadable: 'elle est illisible',
    required: 'la valeur manque',
    url: 'adresse non valable',
    scheme: 'l’adresse doit commencer par https://',
    'no-credentials': 'l’adresse ne doit contenir ni nom d’utilisateur ni mot de passe',
    json: 'JSON non valable',
    empty: 'vide',
    too_long: 'trop long',
    separator: 'il contient une barre oblique',
    control: 'il contient des caractères de contrôle',
    too_small: 'trop petit ou trop court',
    too_big: 'trop grand ou trop long',
    invalid_type: 'la valeur n’a pas la bonne forme',
    invalid_format: 'la valeur n’a pas la bonne forme',
    invalid_union: 'la valeur n’a pas la bonne forme',
    invalid_value: 'valeur inconnue',
    every_attachment_once: 'chaque fichier doit figurer exactement une fois',
    not_a_code: 'ce n’est ni un NPA à quatre chiffres ni une plage de deux NPA',
    backwards: 'la plage finit avant son début',
    says_nothing: 'elle n’indique ni NPA, ni catégories, ni personnes',
    policy: 'votre organisation l’a fixée',
    unknown: 'inconnu',
  },
  found: {
    empty: 'un fichier vide',
    'public-key': 'une clé publique',
    certificate: 'un certificat',
    'certificate-request': 'une demande de certificat',
    'ec-key': 'une clé EC',
    'ed-key': 'une clé Ed25519 ou Ed448',
    'dsa-key': 'une clé DSA',
    'dh-key': 'une clé Diffie-Hellman',
    'rsa-pss-key': 'une clé réservée à RSA-PSS',
    'symmetric-key': 'une clé symétrique',
    'openssh-key': 'une clé OpenSSH',
    'putty-key': 'une clé PuTTY',
    'pgp-key': 'une clé PGP',
    'key-set': 'une liste de clés (JWKS)',
    json: 'un fichier JSON sans clé',
    pdf: 'un PDF',
    binary: 'un fichier binaire',
    text: 'du texte ordinaire',
    'unknown-pem': 'un fichier PEM d’un autre genre',
    'unsupported-encryption': 'une clé dont le chiffrement n’est pas pris en charge',
    'damaged-key': 'une clé endommagée',
  },
  reasons: {
    repeats: 'la même page revient sans cesse',
    endless: 'elle n’a pas de fin',
    missing: 'des dossiers comptés n’y figurent pas',
    changing: 'elle a changé à chaque lecture',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'il est auto-signé',
    SELF_SIGNED_CERT_IN_CHAIN: 'son émetteur est inconnu',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'son émetteur est inconnu',
    UNABLE_TO_GET_ISSUER_CERT: 'son émetteur est inconnu',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'son émetteur est inconnu',
    CERT_UNTRUSTED: 'son émetteur est inconnu',
    CERT_HAS_EXPIRED: 'il a expiré',
    CERT_NOT_YET_VALID: 'il n’est pas encore valable',
    ERR_TLS_CERT_ALTNAME_INVALID: 'il vaut pour un autre nom',
    HOSTNAME_MISMATCH: 'il vaut pour un autre nom',
    CERT_REVOKED: 'il a été révoqué',
    ENOENT: 'le répertoire n’existe pas',
    EISDIR: 'c’est un répertoire',
    EACCES: 'les droits d’accès manquent',
    EPERM: 'les droits d’accès manquent',
    EROFS: 'le support est protégé en écriture',
    ENOTDIR: 'une partie du chemin n’est pas un répertoire',
  },
  titles: {
    forbidden: 'vous n’avez pas accès',
    not_found: 'l’assureur ne connaît pas le dossier ou le document',
    org_without_members: 'votre organisation n’a pas de membres chez l’assureur',
    invalid_org_context: 'les données d’accès appartiennent à un autre type d’organisation',
    invalid_state: 'l’état du dossier ne le permet pas',
    invalid_document: 'un document n’est pas valable',
    missing_documents: 'il manque des documents au rapport',
    unsupported_content_type: 'un type de fichier n’est pas permis',
    size_limit_exceeded: 'un fichier est trop grand',
    invalid_request: 'une valeur n’est pas valable',
    invalid_payload: 'les données du dossier ne sont pas valables',
  },
  buckets: {
    standard: 'requêtes',
    documents: 'requêtes de documents',
  },
};
