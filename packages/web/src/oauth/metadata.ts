/**
 * What clients read to find their way: who lets applications in (RFC 8414), under the
 * name that OpenID Connect has for it as well. Below a path many look there last, and
 * take it only with the three fields that say how identities are signed; none is.
 */
import { scopes } from "@trailbook/core/actor/Actor"

export const serverMetadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  revocation_endpoint: `${issuer}/revoke`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  scopes_supported: scopes,
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  authorization_response_iss_parameter_supported: true,
  // Without `none` above, clients with a document pass over this in silence.
  client_id_metadata_document_supported: true
})
