import type { Detail } from './details.ts';

/** The details of problem documents in French. */
export const frDetails: Record<Detail, string> = {
  'the address of the request is malformed': 'L’adresse de la requête est mal formée.',
  'there is no such address': 'Cette adresse n’existe pas.',
  'the headers of the request are too large': 'Les en-têtes de la requête sont trop volumineux.',
  'the request took too long to arrive': 'La requête a mis trop de temps à arriver.',
  'the request is not HTTP': 'La requête n’est pas du HTTP.',
  'the request is malformed': 'La requête est mal formée.',
  'the body of the request is too large': 'Le corps de la requête est trop volumineux.',
  'the body is of a type that is not understood here': 'Ce type de corps n’est pas compris ici.',
  'the service failed; the operation was not carried out':
    'Le service a échoué; l’opération n’a pas été exécutée.',
  'the path is not as the operation expects it':
    'Le chemin n’est pas tel que l’opération l’attend.',
  'the query is not as the operation expects it':
    'Les paramètres de la requête ne sont pas tels que l’opération les attend.',
  'the body is not as the operation expects it': 'Le corps n’est pas tel que l’opération l’attend.',
  'the request has no body': 'La requête n’a pas de corps.',
  'the body is not JSON': 'Le corps n’est pas du JSON.',
  'the body must be sent without a content coding':
    'Le corps doit être envoyé sans Content-Encoding.',
  'the body must be sent as application/json': 'Le corps doit être envoyé en application/json.',
  'too many requests; wait as long as Retry-After says':
    'Trop de requêtes; attendez la durée indiquée par Retry-After.',
  'the request has more than one Idempotency-Key': 'La requête a plus d’une Idempotency-Key.',
  'the Idempotency-Key is not a usable key': 'L’Idempotency-Key n’est pas une clé utilisable.',
  'this operation is for insurers': 'Cette opération est réservée aux assureurs.',
  'this operation is for experts': 'Cette opération est réservée aux experts.',
  'the organization of the token has no members': 'L’organisation du jeton n’a pas de membres.',
  'the form lacks a field': 'Il manque un champ au formulaire.',
  'the grant_type is not client_credentials': 'Le grant_type n’est pas client_credentials.',
  'the client_assertion_type is not that of a JWT':
    'Le client_assertion_type n’est pas celui d’un JWT.',
  'the scope is malformed': 'Le scope est mal formé.',
  'there is no client of this client_id': 'Aucun client n’a ce client_id.',
  'the client assertion is not a JWT': 'L’assertion du client n’est pas un JWT.',
  'the alg of the client assertion is not RS256': 'L’alg de l’assertion du client n’est pas RS256.',
  'the client assertion has a critical header extension':
    'L’assertion du client a une extension d’en-tête critique.',
  'the kid of the client assertion names no key of the organization':
    'Le kid de l’assertion du client ne désigne aucune clé de l’organisation.',
  'the client assertion is not signed by a key of the organization':
    'L’assertion du client n’est signée par aucune clé de l’organisation.',
  'the iss of the client assertion is not the client_id':
    'L’iss de l’assertion du client n’est pas le client_id.',
  'the sub of the client assertion is not the client_id':
    'Le sub de l’assertion du client n’est pas le client_id.',
  'the aud of the client assertion is not the address of the token endpoint':
    'L’aud de l’assertion du client n’est pas l’adresse du point d’accès aux jetons.',
  'the client assertion has no exp': 'L’assertion du client n’a pas d’exp.',
  'the client assertion has expired': 'L’assertion du client a expiré.',
  'the nbf of the client assertion is not a number':
    'Le nbf de l’assertion du client n’est pas un nombre.',
  'the client assertion is not valid yet': 'L’assertion du client n’est pas encore valable.',
  'the client assertion has no iat': 'L’assertion du client n’a pas d’iat.',
  'the iat of the client assertion is ahead of time':
    'L’iat de l’assertion du client est dans le futur.',
  'the client assertion is valid for longer than 600 s':
    'L’assertion du client est valable plus de 600 s.',
  'the client assertion has no jti': 'L’assertion du client n’a pas de jti.',
  'the jti of the client assertion is too long': 'Le jti de l’assertion du client est trop long.',
  'the client assertion was used before': 'L’assertion du client a déjà été utilisée.',
  'the request has no Authorization header': 'La requête n’a pas d’en-tête Authorization.',
  'the Authorization header is not of the scheme DPoP':
    'L’en-tête Authorization n’est pas du schéma DPoP.',
  'the access token is not a JWT': 'Le jeton d’accès n’est pas un JWT.',
  'the access token is from another issuer': 'Le jeton d’accès vient d’un autre émetteur.',
  'the access token is for another audience': 'Le jeton d’accès est destiné à un autre service.',
  'the access token is not signed by this service':
    'Le jeton d’accès n’est pas signé par ce service.',
  'the access token has expired': 'Le jeton d’accès a expiré.',
  'the access token lacks a claim': 'Il manque une indication au jeton d’accès.',
  'the organization of the access token is gone': 'L’organisation du jeton d’accès n’existe plus.',
  'the request has no DPoP proof': 'La requête n’a pas de preuve DPoP.',
  'the request has more than one DPoP proof': 'La requête a plus d’une preuve DPoP.',
  'the DPoP proof is not a JWT': 'La preuve DPoP n’est pas un JWT.',
  'the typ of the DPoP proof is not dpop+jwt': 'Le typ de la preuve DPoP n’est pas dpop+jwt.',
  'the alg of the DPoP proof is not ES256': 'L’alg de la preuve DPoP n’est pas ES256.',
  'the DPoP proof has a critical header extension':
    'La preuve DPoP a une extension d’en-tête critique.',
  'the DPoP proof has no jwk': 'La preuve DPoP n’a pas de jwk.',
  'the jwk of the DPoP proof is not a key': 'Le jwk de la preuve DPoP n’est pas une clé.',
  'the jwk of the DPoP proof holds a private key':
    'Le jwk de la preuve DPoP contient une clé privée.',
  'the jwk of the DPoP proof is not a public P-256 key':
    'Le jwk de la preuve DPoP n’est pas une clé publique P-256.',
  'the access token is not bound to the DPoP proof key':
    'Le jeton d’accès n’est pas lié à la clé de la preuve DPoP.',
  'the signature of the DPoP proof is wrong': 'La signature de la preuve DPoP est fausse.',
  'htm mismatch: it is not the method of the request':
    'htm ne correspond pas: ce n’est pas la méthode de la requête.',
  'htu mismatch: it is not the address of the request, with its query':
    'htu ne correspond pas: ce n’est pas l’adresse de la requête avec ses paramètres.',
  'the DPoP proof has no jti': 'La preuve DPoP n’a pas de jti.',
  'the jti of the DPoP proof is not 1 to 128 characters':
    'Le jti de la preuve DPoP n’a pas de 1 à 128 caractères.',
  'replayed jti: the DPoP proof was used before': 'jti répété: la preuve DPoP a déjà été utilisée.',
  'the DPoP proof has no iat': 'La preuve DPoP n’a pas d’iat.',
  'the iat of the DPoP proof is not a number': 'L’iat de la preuve DPoP n’est pas un nombre.',
  'iat outside the window: the DPoP proof is too old':
    'iat hors de la fenêtre: la preuve DPoP est trop ancienne.',
  'iat outside the window: the DPoP proof is ahead of time':
    'iat hors de la fenêtre: la preuve DPoP est dans le futur.',
  'ath mismatch: the DPoP proof has no ath': 'ath ne correspond pas: la preuve DPoP n’a pas d’ath.',
  'ath mismatch: it is not the hash of the access token':
    'ath ne correspond pas: ce n’est pas le hachage du jeton d’accès.',
  'there is no such category': 'Cette catégorie n’existe pas.',
  'There is no such case.': 'Ce cas n’existe pas.',
  'There is no such submission.': 'Cet envoi de rapport n’existe pas.',
  'There is no such organization.': 'Cette organisation n’existe pas.',
  'The organization has no such key.': 'L’organisation n’a pas de telle clé.',
  'The case has no such document.': 'Le cas n’a pas de tel document.',
  'The submission has no such document.': 'L’envoi de rapport n’a pas de tel document.',
  'The record belongs to another organization.':
    'L’enregistrement appartient à une autre organisation.',
  'The case is {status}, which does not allow this.':
    'Le cas est au statut {status}, qui ne le permet pas.',
  'The submission is {status}, which does not allow this.':
    'L’envoi de rapport est au statut {status}, qui ne le permet pas.',
  'The case has an open draft already.': 'Le cas a déjà un brouillon ouvert.',
  'The case has no open draft.': 'Le cas n’a pas de brouillon ouvert.',
  'The submission has no documents.': 'L’envoi de rapport n’a pas de documents.',
  'The payload does not keep to its category.': 'Le contenu ne respecte pas sa catégorie.',
  'Category must be one of: {categories}.': 'Category doit être l’un de: {categories}.',
  'PayloadJson is required.': 'PayloadJson est requis.',
  'PayloadJson must be JSON text.': 'PayloadJson doit être un texte JSON.',
  'PayloadJson must be the JSON text of an object.':
    'PayloadJson doit être le texte JSON d’un objet.',
  'the request is larger than an upload may be':
    'La requête est plus volumineuse qu’un téléversement ne peut l’être.',
  'A document may have at most 50 MB.': 'Un document peut avoir au plus 50 Mo.',
  'Documents of this type are not accepted.': 'Les documents de ce type ne sont pas acceptés.',
  'The body cannot be read as the upload of a document.':
    'Le corps n’est pas lisible comme téléversement d’un document.',
  'FileName must not be empty.': 'FileName ne doit pas être vide.',
  'FileName must be at most {max} characters.': 'FileName doit avoir au plus {max} caractères.',
  'FileName must have no path separators or control characters.':
    'FileName ne doit contenir ni séparateur de chemin ni caractère de contrôle.',
  'ContentBase64 must not be empty.': 'ContentBase64 ne doit pas être vide.',
  'ContentBase64 must be strict base64.': 'ContentBase64 doit être du base64 strict.',
  'ContentBase64 is not a document of the type {type}.':
    'ContentBase64 n’est pas un document du type {type}.',
  'The back office needs its own token.': 'Le back-office exige son propre jeton.',
  'The back office wished it so.': 'Le back-office l’a voulu ainsi.',
  'A case is assigned to an expert organization.':
    'Un cas est attribué à une organisation d’experts.',
  'a key must be RSA with at least 2048 bits': 'Une clé doit être RSA d’au moins 2048 bits.',
  'the key is registered already': 'La clé est déjà enregistrée.',
};
