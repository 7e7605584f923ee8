/**
 * Authorization server metadata (RFC 8414), which is also served under the OpenID Connect discovery name. For a server
 * below a path, some clients try this name last, and accept the document only if it contains the three fields about ID
 * tokens. Trailbook does not issue ID tokens.
 */
import { scopes } from "@trailbook/core/actor"

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
  // Clients with a metadata document ignore this field unless `none` is a supported authentication method.
  client_id_metadata_document_supported: true
})
