import type { Detail } from './details.ts';

/** The details of problem documents in Italian. */
export const itDetails: Record<Detail, string> = {
  'the address of the request is malformed':
    'L’indirizzo della richiesta non è formato correttamente.',
  'there is no such address': 'Questo indirizzo non esiste.',
  'the headers of the request are too large': 'Gli header della richiesta sono troppo grandi.',
  'the request took too long to arrive': 'La richiesta ha impiegato troppo tempo ad arrivare.',
  'the request is not HTTP': 'La richiesta non è HTTP.',
  'the request is malformed': 'La richiesta non è formata correttamente.',
  'the body of the request is too large': 'Il contenuto della richiesta è troppo grande.',
  'the body is of a type that is not understood here':
    'Questo tipo di contenuto qui non è compreso.',
  'the service failed; the operation was not carried out':
    'Il servizio ha avuto un guasto; l’operazione non è stata eseguita.',
  'the path is not as the operation expects it': 'Il percorso non è come l’operazione lo richiede.',
  'the query is not as the operation expects it':
    'I parametri della richiesta non sono come l’operazione li richiede.',
  'the body is not as the operation expects it':
    'Il contenuto non è come l’operazione lo richiede.',
  'the request has no body': 'La richiesta non ha contenuto.',
  'the body is not JSON': 'Il contenuto non è JSON.',
  'the body must be sent without a content coding':
    'Il contenuto deve essere inviato senza Content-Encoding.',
  'the body must be sent as application/json':
    'Il contenuto deve essere inviato come application/json.',
  'too many requests; wait as long as Retry-After says':
    'Troppe richieste; attendete quanto indica Retry-After.',
  'the request has more than one Idempotency-Key': 'La richiesta ha più di una Idempotency-Key.',
  'the Idempotency-Key is not a usable key': 'L’Idempotency-Key non è una chiave utilizzabile.',
  'this operation is for insurers': 'Questa operazione è destinata agli assicuratori.',
  'this operation is for experts': 'Questa operazione è destinata ai periti.',
  'the organization of the token has no members': 'L’organizzazione del token non ha membri.',
  'the form lacks a field': 'Nel modulo manca un campo.',
  'the grant_type is not client_credentials': 'Il grant_type non è client_credentials.',
  'the client_assertion_type is not that of a JWT':
    'Il client_assertion_type non è quello di un JWT.',
  'the scope is malformed': 'Lo scope non è formato correttamente.',
  'there is no client of this client_id': 'Nessun client ha questo client_id.',
  'the client assertion is not a JWT': 'L’asserzione del client non è un JWT.',
  'the alg of the client assertion is not RS256': 'L’alg dell’asserzione del client non è RS256.',
  'the client assertion has a critical header extension':
    'L’asserzione del client ha un’estensione critica dell’header.',
  'the kid of the client assertion names no key of the organization':
    'Il kid dell’asserzione del client non indica alcuna chiave dell’organizzazione.',
  'the client assertion is not signed by a key of the organization':
    'L’asserzione del client non è firmata da alcuna chiave dell’organizzazione.',
  'the iss of the client assertion is not the client_id':
    'L’iss dell’asserzione del client non è il client_id.',
  'the sub of the client assertion is not the client_id':
    'Il sub dell’asserzione del client non è il client_id.',
  'the aud of the client assertion is not the address of the token endpoint':
    'L’aud dell’asserzione del client non è l’indirizzo del punto di accesso ai token.',
  'the client assertion has no exp': 'L’asserzione del client non ha exp.',
  'the client assertion has expired': 'L’asserzione del client è scaduta.',
  'the nbf of the client assertion is not a number':
    'L’nbf dell’asserzione del client non è un numero.',
  'the client assertion is not valid yet': 'L’asserzione del client non è ancora valida.',
  'the client assertion has no iat': 'L’asserzione del client non ha iat.',
  'the iat of the client assertion is ahead of time':
    'L’iat dell’asserzione del client è nel futuro.',
  'the client assertion is valid for longer than 600 s':
    'L’asserzione del client vale per più di 600 s.',
  'the client assertion has no jti': 'L’asserzione del client non ha jti.',
  'the jti of the client assertion is too long':
    'Il jti dell’asserzione del client è troppo lungo.',
  'the client assertion was used before': 'L’asserzione del client è già stata usata.',
  'the request has no Authorization header': 'La richiesta non ha l’header Authorization.',
  'the Authorization header is not of the scheme DPoP':
    'L’header Authorization non è dello schema DPoP.',
  'the access token is not a JWT': 'Il token di accesso non è un JWT.',
  'the access token is from another issuer': 'Il token di accesso proviene da un altro emittente.',
  'the access token is for another audience':
    'Il token di accesso è destinato a un altro servizio.',
  'the access token is not signed by this service':
    'Il token di accesso non è firmato da questo servizio.',
  'the access token has expired': 'Il token di accesso è scaduto.',
  'the access token lacks a claim': 'Al token di accesso manca un’indicazione.',
  'the organization of the access token is gone':
    'L’organizzazione del token di accesso non esiste più.',
  'the request has no DPoP proof': 'La richiesta non ha una prova DPoP.',
  'the request has more than one DPoP proof': 'La richiesta ha più di una prova DPoP.',
  'the DPoP proof is not a JWT': 'La prova DPoP non è un JWT.',
  'the typ of the DPoP proof is not dpop+jwt': 'Il typ della prova DPoP non è dpop+jwt.',
  'the alg of the DPoP proof is not ES256': 'L’alg della prova DPoP non è ES256.',
  'the DPoP proof has a critical header extension':
    'La prova DPoP ha un’estensione critica dell’header.',
  'the DPoP proof has no jwk': 'La prova DPoP non ha jwk.',
  'the jwk of the DPoP proof is not a key': 'Il jwk della prova DPoP non è una chiave.',
  'the jwk of the DPoP proof holds a private key':
    'Il jwk della prova DPoP contiene una chiave privata.',
  'the jwk of the DPoP proof is not a public P-256 key':
    'Il jwk della prova DPoP non è una chiave pubblica P-256.',
  'the access token is not bound to the DPoP proof key':
    'Il token di accesso non è legato alla chiave della prova DPoP.',
  'the signature of the DPoP proof is wrong': 'La firma della prova DPoP è errata.',
  'htm mismatch: it is not the method of the request':
    'htm non corrisponde: non è il metodo della richiesta.',
  'htu mismatch: it is not the address of the request, with its query':
    'htu non corrisponde: non è l’indirizzo della richiesta con i suoi parametri.',
  'the DPoP proof has no jti': 'La prova DPoP non ha jti.',
  'the jti of the DPoP proof is not 1 to 128 characters':
    'Il jti della prova DPoP non ha da 1 a 128 caratteri.',
  'replayed jti: the DPoP proof was used before': 'jti ripetuto: la prova DPoP è già stata usata.',
  'the DPoP proof has no iat': 'La prova DPoP non ha iat.',
  'the iat of the DPoP proof is not a number': 'L’iat della prova DPoP non è un numero.',
  'iat outside the window: the DPoP proof is too old':
    'iat fuori dalla finestra: la prova DPoP è troppo vecchia.',
  'iat outside the window: the DPoP proof is ahead of time':
    'iat fuori dalla finestra: la prova DPoP è nel futuro.',
  'ath mismatch: the DPoP proof has no ath': 'ath non corrisponde: la prova DPoP non ha ath.',
  'ath mismatch: it is not the hash of the access token':
    'ath non corrisponde: non è l’hash del token di accesso.',
  'there is no such category': 'Questa categoria non esiste.',
  'There is no such case.': 'Questo caso non esiste.',
  'There is no such submission.': 'Questo invio di rapporto non esiste.',
  'There is no such organization.': 'Questa organizzazione non esiste.',
  'The organization has no such key.': 'L’organizzazione non ha una tale chiave.',
  'The case has no such document.': 'Il caso non ha un tale documento.',
  'The submission has no such document.': 'L’invio di rapporto non ha un tale documento.',
  'The record belongs to another organization.':
    'La registrazione appartiene a un’altra organizzazione.',
  'The case is {status}, which does not allow this.':
    'Il caso è nello stato {status}, che non lo permette.',
  'The submission is {status}, which does not allow this.':
    'L’invio di rapporto è nello stato {status}, che non lo permette.',
  'The case has an open draft already.': 'Il caso ha già una bozza aperta.',
  'The case has no open draft.': 'Il caso non ha una bozza aperta.',
  'The submission has no documents.': 'L’invio di rapporto non ha documenti.',
  'The payload does not keep to its category.': 'Il contenuto non rispetta la sua categoria.',
  'Category must be one of: {categories}.': 'Category deve essere uno di: {categories}.',
  'PayloadJson is required.': 'PayloadJson è obbligatorio.',
  'PayloadJson must be JSON text.': 'PayloadJson deve essere un testo JSON.',
  'PayloadJson must be the JSON text of an object.':
    'PayloadJson deve essere il testo JSON di un oggetto.',
  'the request is larger than an upload may be':
    'La richiesta è più grande di quanto un caricamento possa essere.',
  'A document may have at most 50 MB.': 'Un documento può avere al massimo 50 MB.',
  'Documents of this type are not accepted.': 'I documenti di questo tipo non sono accettati.',
  'The body cannot be read as the upload of a document.':
    'Il contenuto non è leggibile come caricamento di un documento.',
  'FileName must not be empty.': 'FileName non deve essere vuoto.',
  'FileName must be at most {max} characters.': 'FileName deve avere al massimo {max} caratteri.',
  'FileName must have no path separators or control characters.':
    'FileName non deve contenere separatori di percorso o caratteri di controllo.',
  'ContentBase64 must not be empty.': 'ContentBase64 non deve essere vuoto.',
  'ContentBase64 must be strict base64.': 'ContentBase64 deve essere base64 rigoroso.',
  'ContentBase64 is not a document of the type {type}.':
    'ContentBase64 non è un documento del tipo {type}.',
  'The back office needs its own token.': 'Il back office richiede il proprio token.',
  'The back office wished it so.': 'Il back office ha voluto così.',
  'A case is assigned to an expert organization.':
    'Un caso è assegnato a un’organizzazione di periti.',
  'a key must be RSA with at least 2048 bits': 'Una chiave deve essere RSA di almeno 2048 bit.',
  'the key is registered already': 'La chiave è già registrata.',
};
