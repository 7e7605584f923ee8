/**
 * An OAuth client provider for the official MCP clients. Keeps the state between the clients' steps, and the URL that
 * the client must send the user to.
 */
export class Assistant {
  readonly clientMetadata
  readonly clientMetadataUrl?: string
  readonly redirectUrl: string
  wanted: URL | undefined
  #client: unknown
  #tokens: unknown
  #verifier = ""

  constructor({ document, redirect = "http://127.0.0.1:33418/callback" }: {
    readonly document?: string
    readonly redirect?: string
  } = {}) {
    this.redirectUrl = redirect
    if (document !== undefined) this.clientMetadataUrl = document
    this.clientMetadata = {
      client_name: "Test assistant",
      redirect_uris: [redirect],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: "read write"
    }
  }

  state = () => "state-of-the-test"
  clientInformation = () => this.#client
  saveClientInformation = (client: unknown) => {
    this.#client = client
  }
  tokens = () => this.#tokens
  saveTokens = (tokens: unknown) => {
    this.#tokens = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.wanted = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  #discovered: unknown
  discoveryState = () => this.#discovered
  saveDiscoveryState = (state: unknown) => {
    this.#discovered = state
  }
  /** Simulates an expired access token. */
  forgetAccess = () => {
    this.#tokens = { ...(this.#tokens as object), access_token: "tb_access_over" }
  }
}
