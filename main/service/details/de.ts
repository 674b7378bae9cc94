import type { Detail } from './details.ts';

/** The details of problem documents in German, Swiss spelling. */
export const deDetails: Record<Detail, string> = {
  'the address of the request is malformed': 'Die Adresse der Anfrage ist ungültig aufgebaut.',
  'there is no such address': 'Diese Adresse gibt es nicht.',
  'the headers of the request are too large': 'Die Header der Anfrage sind zu gross.',
  'the request took too long to arrive': 'Die Anfrage traf zu langsam ein.',
  'the request is not HTTP': 'Die Anfrage ist kein HTTP.',
  'the request is malformed': 'Die Anfrage ist ungültig aufgebaut.',
  'the body of the request is too large': 'Der Inhalt der Anfrage ist zu gross.',
  'the body is of a type that is not understood here':
    'Inhalte dieses Typs werden hier nicht verstanden.',
  'the service failed; the operation was not carried out':
    'Der Dienst hat versagt; der Vorgang wurde nicht ausgeführt.',
  'the path is not as the operation expects it':
    'Der Pfad ist nicht, wie der Vorgang ihn erwartet.',
  'the query is not as the operation expects it':
    'Die Abfrage ist nicht, wie der Vorgang sie erwartet.',
  'the body is not as the operation expects it':
    'Der Inhalt ist nicht, wie der Vorgang ihn erwartet.',
  'the request has no body': 'Die Anfrage hat keinen Inhalt.',
  'the body is not JSON': 'Der Inhalt ist kein JSON.',
  'the body must be sent without a content coding':
    'Der Inhalt muss ohne Content-Encoding gesendet werden.',
  'the body must be sent as application/json':
    'Der Inhalt muss als application/json gesendet werden.',
  'too many requests; wait as long as Retry-After says':
    'Zu viele Anfragen; warten Sie so lange, wie Retry-After angibt.',
  'the request has more than one Idempotency-Key':
    'Die Anfrage hat mehr als einen Idempotency-Key.',
  'the Idempotency-Key is not a usable key': 'Der Idempotency-Key ist kein brauchbarer Schlüssel.',
  'this operation is for insurers': 'Dieser Vorgang ist für Versicherer bestimmt.',
  'this operation is for experts': 'Dieser Vorgang ist für Experten bestimmt.',
  'the organization of the token has no members':
    'Die Organisation des Tokens hat keine Mitglieder.',
  'the form lacks a field': 'Im Formular fehlt ein Feld.',
  'the grant_type is not client_credentials': 'Der grant_type ist nicht client_credentials.',
  'the client_assertion_type is not that of a JWT':
    'Der client_assertion_type ist nicht der eines JWT.',
  'the scope is malformed': 'Der scope ist ungültig aufgebaut.',
  'there is no client of this client_id': 'Es gibt keinen Client mit dieser client_id.',
  'the client assertion is not a JWT': 'Die Client-Assertion ist kein JWT.',
  'the alg of the client assertion is not RS256': 'Der alg der Client-Assertion ist nicht RS256.',
  'the client assertion has a critical header extension':
    'Die Client-Assertion hat eine kritische Header-Erweiterung.',
  'the kid of the client assertion names no key of the organization':
    'Der kid der Client-Assertion bezeichnet keinen Schlüssel der Organisation.',
  'the client assertion is not signed by a key of the organization':
    'Die Client-Assertion ist mit keinem Schlüssel der Organisation signiert.',
  'the iss of the client assertion is not the client_id':
    'Der iss der Client-Assertion ist nicht die client_id.',
  'the sub of the client assertion is not the client_id':
    'Der sub der Client-Assertion ist nicht die client_id.',
  'the aud of the client assertion is not the address of the token endpoint':
    'Der aud der Client-Assertion ist nicht die Adresse des Token-Endpunkts.',
  'the client assertion has no exp': 'Die Client-Assertion hat keinen exp.',
  'the client assertion has expired': 'Die Client-Assertion ist abgelaufen.',
  'the nbf of the client assertion is not a number': 'Der nbf der Client-Assertion ist keine Zahl.',
  'the client assertion is not valid yet': 'Die Client-Assertion gilt noch nicht.',
  'the client assertion has no iat': 'Die Client-Assertion hat keinen iat.',
  'the iat of the client assertion is ahead of time':
    'Der iat der Client-Assertion liegt in der Zukunft.',
  'the client assertion is valid for longer than 600 s':
    'Die Client-Assertion gilt länger als 600 s.',
  'the client assertion has no jti': 'Die Client-Assertion hat keinen jti.',
  'the jti of the client assertion is too long': 'Der jti der Client-Assertion ist zu lang.',
  'the client assertion was used before': 'Die Client-Assertion wurde schon einmal verwendet.',
  'the request has no Authorization header': 'Die Anfrage hat keinen Authorization-Header.',
  'the Authorization header is not of the scheme DPoP':
    'Der Authorization-Header ist nicht vom Schema DPoP.',
  'the access token is not a JWT': 'Das Zugriffstoken ist kein JWT.',
  'the access token is from another issuer':
    'Das Zugriffstoken stammt von einem anderen Aussteller.',
  'the access token is for another audience': 'Das Zugriffstoken ist für einen anderen Empfänger.',
  'the access token is not signed by this service':
    'Das Zugriffstoken ist nicht von diesem Dienst signiert.',
  'the access token has expired': 'Das Zugriffstoken ist abgelaufen.',
  'the access token lacks a claim': 'Dem Zugriffstoken fehlt eine Angabe.',
  'the organization of the access token is gone':
    'Die Organisation des Zugriffstokens gibt es nicht mehr.',
  'the request has no DPoP proof': 'Die Anfrage hat keinen DPoP-Nachweis.',
  'the request has more than one DPoP proof': 'Die Anfrage hat mehr als einen DPoP-Nachweis.',
  'the DPoP proof is not a JWT': 'Der DPoP-Nachweis ist kein JWT.',
  'the typ of the DPoP proof is not dpop+jwt': 'Der typ des DPoP-Nachweises ist nicht dpop+jwt.',
  'the alg of the DPoP proof is not ES256': 'Der alg des DPoP-Nachweises ist nicht ES256.',
  'the DPoP proof has a critical header extension':
    'Der DPoP-Nachweis hat eine kritische Header-Erweiterung.',
  'the DPoP proof has no jwk': 'Der DPoP-Nachweis hat keinen jwk.',
  'the jwk of the DPoP proof is not a key': 'Der jwk des DPoP-Nachweises ist kein Schlüssel.',
  'the jwk of the DPoP proof holds a private key':
    'Der jwk des DPoP-Nachweises enthält einen privaten Schlüssel.',
  'the jwk of the DPoP proof is not a public P-256 key':
    'Der jwk des DPoP-Nachweises ist kein öffentlicher P-256-Schlüssel.',
  'the access token is not bound to the DPoP proof key':
    'Das Zugriffstoken ist nicht an den Schlüssel des DPoP-Nachweises gebunden.',
  'the signature of the DPoP proof is wrong': 'Die Signatur des DPoP-Nachweises stimmt nicht.',
  'htm mismatch: it is not the method of the request':
    'htm stimmt nicht: Es ist nicht die Methode der Anfrage.',
  'htu mismatch: it is not the address of the request, with its query':
    'htu stimmt nicht: Es ist nicht die Adresse der Anfrage samt Abfrageteil.',
  'the DPoP proof has no jti': 'Der DPoP-Nachweis hat keinen jti.',
  'the jti of the DPoP proof is not 1 to 128 characters':
    'Der jti des DPoP-Nachweises hat nicht 1 bis 128 Zeichen.',
  'replayed jti: the DPoP proof was used before':
    'jti wiederholt: Der DPoP-Nachweis wurde schon einmal verwendet.',
  'the DPoP proof has no iat': 'Der DPoP-Nachweis hat keinen iat.',
  'the iat of the DPoP proof is not a number': 'Der iat des DPoP-Nachweises ist keine Zahl.',
  'iat outside the window: the DPoP proof is too old':
    'iat ausserhalb des Zeitfensters: Der DPoP-Nachweis ist zu alt.',
  'iat outside the window: the DPoP proof is ahead of time':
    'iat ausserhalb des Zeitfensters: Der DPoP-Nachweis liegt in der Zukunft.',
  'ath mismatch: the DPoP proof has no ath': 'ath stimmt nicht: Der DPoP-Nachweis hat keinen ath.',
  'ath mismatch: it is not the hash of the access token':
    'ath stimmt nicht: Es ist nicht der Hash des Zugriffstokens.',
  'there is no such category': 'Diese Kategorie gibt es nicht.',
  'There is no such case.': 'Diesen Fall gibt es nicht.',
  'There is no such submission.': 'Diese Einreichung gibt es nicht.',
  'There is no such organization.': 'Diese Organisation gibt es nicht.',
  'The organization has no such key.': 'Die Organisation hat keinen solchen Schlüssel.',
  'The case has no such document.': 'Der Fall hat kein solches Dokument.',
  'The submission has no such document.': 'Die Einreichung hat kein solches Dokument.',
  'The record belongs to another organization.': 'Der Datensatz gehört einer anderen Organisation.',
  'The case is {status}, which does not allow this.':
    'Der Fall ist im Status {status}, der das nicht zulässt.',
  'The submission is {status}, which does not allow this.':
    'Die Einreichung ist im Status {status}, der das nicht zulässt.',
  'The case has an open draft already.': 'Der Fall hat bereits einen offenen Entwurf.',
  'The case has no open draft.': 'Der Fall hat keinen offenen Entwurf.',
  'The submission has no documents.': 'Die Einreichung hat keine Dokumente.',
  'The payload does not keep to its category.': 'Die Angaben halten sich nicht an ihre Kategorie.',
  'Category must be one of: {categories}.': 'Category muss eines sein von: {categories}.',
  'PayloadJson is required.': 'PayloadJson fehlt.',
  'PayloadJson must be JSON text.': 'PayloadJson muss JSON-Text sein.',
  'PayloadJson must be the JSON text of an object.':
    'PayloadJson muss der JSON-Text eines Objekts sein.',
  'the request is larger than an upload may be':
    'Die Anfrage ist grösser, als ein Upload sein darf.',
  'A document may have at most 50 MB.': 'Ein Dokument darf höchstens 50 MB haben.',
  'Documents of this type are not accepted.': 'Dokumente dieses Typs werden nicht angenommen.',
  'The body cannot be read as the upload of a document.':
    'Der Inhalt ist nicht als Upload eines Dokuments lesbar.',
  'FileName must not be empty.': 'FileName darf nicht leer sein.',
  'FileName must be at most {max} characters.': 'FileName darf höchstens {max} Zeichen haben.',
  'FileName must have no path separators or control characters.':
    'FileName darf keine Pfadtrenner oder Steuerzeichen enthalten.',
  'ContentBase64 must not be empty.': 'ContentBase64 darf nicht leer sein.',
  'ContentBase64 must be strict base64.': 'ContentBase64 muss striktes Base64 sein.',
  'ContentBase64 is not a document of the type {type}.':
    'ContentBase64 ist kein Dokument des Typs {type}.',
  'The back office needs its own token.': 'Das Backoffice braucht sein eigenes Token.',
  'The back office wished it so.': 'Das Backoffice hat es so gewünscht.',
  'A case is assigned to an expert organization.':
    'Ein Fall wird einer Expertenorganisation zugewiesen.',
  'a key must be RSA with at least 2048 bits':
    'Ein Schlüssel muss RSA mit mindestens 2048 Bit sein.',
  'the key is registered already': 'Der Schlüssel ist bereits registriert.',
};
