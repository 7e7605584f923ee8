/** Tests the parsing of untrusted input: URLs, client metadata, and requests. */
import {
  isCodeChallenge,
  isCodeVerifier,
  parseAuthorizationRequest,
  parseRequestedScopes,
  resolveRedirectUri,
  resolveResource,
  toCodeChallenge
} from "@trailbook/core/oauth/AuthorizationRequest"
import {
  isRegisteredRedirectUri,
  isSafeRedirectUri,
  type OAuthClient,
  type OAuthRefusal
} from "@trailbook/core/oauth/OAuthClient"
import { isValidMetadataUrl, parseClientMetadata, parseMetadataDocument } from "@trailbook/core/oauth/OAuthClients"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { createHash } from "node:crypto"
import { expect, it } from "vitest"

const codeOf = <A>(result: Either.Either<A, OAuthRefusal>) => Either.isLeft(result) ? result.left.code : undefined

it.each([
  ["https://claude.ai/api/mcp/auth_callback", true],
  ["http://localhost:33418/", true],
  ["http://127.0.0.1/callback", true],
  ["http://[::1]:1/callback", true],
  ["cursor://anysphere.cursor-retrieval/oauth/callback", true],
  ["com.example.app:/callback", true],
  ["http://example.com/cb", false],
  ["http://127.0.0.1.example.com/cb", false],
  ["https://user:secret@example.com/cb", false],
  ["https://example.com/cb#fragment", false],
  ["javascript:alert(1)", false],
  ["JavaScript:alert(1)", false],
  ["data:text/html,x", false],
  ["file:///etc/passwd", false],
  ["vbscript:x", false],
  ["/callback", false],
  ["", false],
  ["feed:https://example.com/feed", false],
  ["feed://example.com", false],
  ["ms-settings:privacy", false],
  ["ms-word:ofe|u|https://example.com/a.docx", false],
  ["x-apple.systempreferences:com.apple.preference.security", false],
  ["search-ms:query=x", false],
  ["web+app:/cb", false],
  ["app:/callback", false],
  ["com.example.app:/call\nback", false],
  ["https://example.com/cb\r\n", false],
  ["\thttps://example.com/cb", false],
  ["https://exam\tple.com/cb", false],
  ["https://example.com/c b", false],
  ["https://example.com/\u0000", false],
  ["https://example.com/\u2028", false],
  ["https:\\\\example.com/cb", false],
  ["https://example.com/\"onclick=", false],
  ["https://ex\u00e4mple.com/cb", false]
])("allows a redirect to %s: %s", (uri, is) => {
  expect(isSafeRedirectUri(uri)).toBe(is)
})

it("compares redirect URIs exactly, except for the port of a loopback address", () => {
  const registered = ["https://a.example.com/cb?x=1", "http://127.0.0.1:3000/cb", "com.example.app:/cb"]
  for (const uri of registered) expect(isRegisteredRedirectUri(registered, uri)).toBe(true)
  expect(isRegisteredRedirectUri(registered, "http://127.0.0.1:4999/cb")).toBe(true)
  for (
    const uri of [
      "https://a.example.com/cb",
      "https://a.example.com:444/cb?x=1",
      "https://a.example.com/cb?x=1&y=2",
      "https://A.example.com/cb?x=1",
      "http://127.0.0.1:3000/cb/",
      "http://localhost:3000/cb",
      "http://user@127.0.0.1:3000/cb",
      "http://127.0.0.1:3000/cb#x",
      "app:/cb2"
    ]
  ) expect(isRegisteredRedirectUri(registered, uri), uri).toBe(false)
})

it("computes the PKCE challenge as the SHA-256 digest in base64url", () => {
  FastCheck.assert(FastCheck.property(FastCheck.stringMatching(/^[A-Za-z0-9._~-]{43,128}$/), (verifier) => {
    const challenge = toCodeChallenge({ digest: (text) => createHash("sha256").update(text).digest("hex") }, verifier)
    expect(challenge).toBe(createHash("sha256").update(verifier).digest("base64url"))
    expect([isCodeVerifier(verifier), isCodeChallenge(challenge)]).toEqual([true, true])
  }))
  for (const text of ["a".repeat(42), "a".repeat(129), `${"a".repeat(43)} `]) expect(isCodeVerifier(text)).toBe(false)
  for (const text of ["a".repeat(42), "a".repeat(44), `${"a".repeat(42)}=`]) expect(isCodeChallenge(text)).toBe(false)
})

it("accepts every form of the MCP server's address as a resource", () => {
  const base = "https://book.example.com/trips"
  for (
    const resource of [
      undefined,
      `${base}/mcp`,
      `${base}/mcp/`,
      base,
      `${base}/`,
      "https://book.example.com",
      "https://book.example.com/"
    ]
  ) expect(resolveResource(base, resource)).toBe(`${base}/mcp`)
  for (const resource of ["https://other.example.com/mcp", `${base}/mcp2`, `${base}/v1`, "", "mcp"]) {
    expect(resolveResource(base, resource), resource).toBeUndefined()
  }
})

it("keeps the known scopes, and defaults to read and write", () => {
  expect(Either.getOrNull(parseRequestedScopes(undefined))).toEqual(["read", "write"])
  expect(Either.getOrNull(parseRequestedScopes("offline_access"))).toEqual(["read", "write"])
  expect(Either.getOrNull(parseRequestedScopes("admin read offline_access"))).toEqual(["read", "admin"])
  expect(codeOf(parseRequestedScopes("staff"))).toBe("invalid_scope")
})

const metadata = { redirect_uris: ["https://a.example.com/cb"] }

it("reduces client metadata to known fields and rejects dangerous values", () => {
  const client = Either.getOrThrow(parseClientMetadata({
    ...metadata,
    client_name: ` ${"n".repeat(200)}`,
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    software_id: "x"
  }))
  expect(client).toEqual({ name: "n".repeat(80), redirectUris: metadata.redirect_uris })
  expect(Either.getOrThrow(parseClientMetadata(metadata)).name).toBe("")
  for (
    const wrong of [
      {},
      { redirect_uris: [] },
      { redirect_uris: Array.from({ length: 11 }, (_, n) => `https://a.example.com/${n}`) },
      { redirect_uris: ["javascript:alert(1)"] },
      { redirect_uris: [1] }
    ]
  ) expect(codeOf(parseClientMetadata(wrong))).toBe("invalid_redirect_uri")
  for (
    const name of [
      "a\nb",
      "a\r",
      "\u0000",
      "a\u001bb",
      "a\u0085",
      "a\u2028b",
      "\u202Ea",
      "a\u2066",
      "\u200fa",
      "a\ufeff",
      "\u061ca"
    ]
  ) {
    expect(codeOf(parseClientMetadata({ ...metadata, client_name: name })), JSON.stringify(name)).toBe(
      "invalid_client_metadata"
    )
  }
  for (
    const wrong of [
      "text",
      null,
      [],
      { ...metadata, token_endpoint_auth_method: "client_secret_basic" },
      { ...metadata, client_secret: "s" },
      { ...metadata, grant_types: ["client_credentials"] },
      { ...metadata, response_types: ["token"] }
    ]
  ) expect(codeOf(parseClientMetadata(wrong))).toBe("invalid_client_metadata")
})

it("requires a client ID document to contain its own URL", () => {
  const url = "https://a.example.com/client.json"
  expect(Either.isRight(parseMetadataDocument(url, { ...metadata, client_id: url }))).toBe(true)
  expect(codeOf(parseMetadataDocument(url, metadata))).toBe("invalid_client_metadata")
  expect(codeOf(parseMetadataDocument(url, { ...metadata, client_id: `${url}2` }))).toBe("invalid_client_metadata")
  expect(isValidMetadataUrl(url)).toBe(true)
  for (
    const wrong of [
      "http://a.example.com/client.json",
      "https://a.example.com/",
      "https://a.example.com",
      "https://a.example.com:444/c",
      "https://u@a.example.com/c",
      "https://a.example.com/a/../c",
      "https://a.example.com/c#x",
      "https://A.example.com/c",
      `https://a.example.com/${"c".repeat(500)}`
    ]
  ) expect(isValidMetadataUrl(wrong), wrong).toBe(false)
})

const application: OAuthClient = {
  clientId: "app",
  name: "",
  redirectUris: ["https://a.example.com/cb"],
  createdAt: 0 as OAuthClient["createdAt"],
  readAt: 0 as OAuthClient["readAt"]
}
const base = "https://book.example.com"
const params = { response_type: "code", code_challenge: "a".repeat(43), code_challenge_method: "S256", state: "s" }

it("validates the redirect URI and the PKCE challenge of an authorization request", () => {
  expect(Either.getOrNull(resolveRedirectUri(application, {}))).toBe("https://a.example.com/cb")
  expect(codeOf(resolveRedirectUri({ ...application, redirectUris: ["a:/", "b:/"] }, {}))).toBe("invalid_request")
  // This redirect URI was registered before the rule existed.
  expect(codeOf(resolveRedirectUri({ ...application, redirectUris: ["feed://a"] }, {}))).toBe("invalid_request")
  expect(codeOf(resolveRedirectUri(application, { redirect_uri: "https://evil.example.com" }))).toBe("invalid_request")
  const parse = (overrides: Readonly<Record<string, string | undefined>>) =>
    parseAuthorizationRequest(base, "app", "https://a.example.com/cb", { ...params, ...overrides })
  expect(Either.getOrThrow(parse({}))).toEqual({
    clientId: "app",
    redirectUri: "https://a.example.com/cb",
    state: "s",
    challenge: params.code_challenge,
    scopes: ["read", "write"],
    resource: `${base}/mcp`
  })
  expect(codeOf(parse({ response_type: "token" }))).toBe("unsupported_response_type")
  expect(codeOf(parse({ response_type: undefined }))).toBe("unsupported_response_type")
  expect(codeOf(parse({ code_challenge: undefined }))).toBe("invalid_request")
  expect(codeOf(parse({ code_challenge: "short" }))).toBe("invalid_request")
  expect(codeOf(parse({ code_challenge_method: "plain" }))).toBe("invalid_request")
  expect(codeOf(parse({ code_challenge_method: undefined }))).toBe("invalid_request")
  expect(codeOf(parse({ state: "s".repeat(1001) }))).toBe("invalid_request")
  expect(codeOf(parse({ resource: "https://other.example.com/mcp" }))).toBe("invalid_target")
  expect(codeOf(parse({ scope: "guest" }))).toBe("invalid_scope")
})
