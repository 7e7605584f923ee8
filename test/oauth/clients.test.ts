/** Tests that both official MCP clients and oauth4webapi can connect knowing only the MCP URL. */
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import * as oauth from "oauth4webapi"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Assistant } from "./Assistant.ts"
import { approve } from "./connect.ts"
import { open, type World } from "./World.ts"

const info = { name: "test", version: "1" }
const document = "https://assistant.example.com/client.json"

const lines = [
  ["1", HttpV1, () => new ClientV1(info)],
  ["2", HttpV2, () => new ClientV2(info, { versionNegotiation: { mode: "auto" } })]
] as const

describe.each(["", "/trips"])("served below %s/", (basePath) => {
  let world: World
  beforeAll(async () => {
    world = await open({ basePath })
    world.publish(document, {
      client_id: document,
      client_name: "Test assistant",
      redirect_uris: ["http://127.0.0.1:33418/callback"],
      token_endpoint_auth_method: "none"
    })
  })
  afterAll(() => world.close())

  it.each(
    lines.flatMap(([line, Http, client]) => [
      [line, "that registers itself", Http, client, undefined] as const,
      [line, "with a metadata document", Http, client, document] as const
    ])
  )(
    "version %s of the MCP client %s connects and refreshes its token",
    async (
      _line,
      _how,
      Http,
      client,
      document
    ) => {
      const assistant = new Assistant(document === undefined ? {} : { document })
      const url = new URL(`${world.root}/mcp`)
      const connect = async (it: { readonly connect: (transport: never) => Promise<void> }) => {
        const transport = new Http(url, { authProvider: assistant as never })
        await it.connect(transport as never)
        return transport
      }
      const failure = await connect(client()).then(() => undefined, (error: unknown) => error)
      assert.match(String(failure), /Unauthorized/)
      const authorizeUrl = assistant.wanted?.href ?? ""
      assert.include(authorizeUrl, `${world.root}/authorize?`)
      assert.strictEqual(assistant.wanted?.searchParams.get("client_id") === document, document !== undefined)

      const back = await approve(await world.signedIn(world.here), authorizeUrl)
      assert.strictEqual(back.searchParams.get("state"), "state-of-the-test")
      assert.strictEqual(back.searchParams.get("iss"), world.root)
      const transport = new Http(url, { authProvider: assistant as never })
      await transport.finishAuth(back.searchParams as never).catch(() =>
        transport.finishAuth(back.searchParams.get("code") ?? "")
      )

      const mcpClient = client()
      await connect(mcpClient)
      const offerings = async () => JSON.stringify(await mcpClient.callTool({ name: "offerings_list", arguments: {} }))
      assert.include(await offerings(), "Kayak of Salida")
      assert.notInclude(await offerings(), "Nordfjord")
      assistant.forgetAccess()
      assert.include(await offerings(), "Kayak of Salida")
      await mcpClient.close()
    }
  )

  it("oauth4webapi finds every response compliant", async () => {
    const insecure = { [oauth.allowInsecureRequests]: true }
    const resource = new URL(`${world.root}/mcp`)
    const challenged = await fetch(resource, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json" }
    })
    assert.strictEqual(challenged.status, 401)
    const challenge = challenged.headers.get("www-authenticate") ?? ""
    assert.match(challenge, /scope="read write"/)
    const metadata = await (await fetch(/resource_metadata="([^"]*)"/.exec(challenge)?.[1] ?? "")).json()
    assert.deepInclude(metadata, { resource: resource.href, authorization_servers: [world.root] })

    const issuer = new URL(world.root)
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: basePath === "" ? "oauth2" : "oidc", ...insecure })
    )
    assert.isTrue(as.client_id_metadata_document_supported)
    const redirect = "https://assistant.example.com/callback"
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, {
        client_name: "oauth4webapi",
        redirect_uris: [redirect],
        token_endpoint_auth_method: "none"
      }, insecure)
    )
    const verifier = oauth.generateRandomCodeVerifier()
    const authorizeUrl = new URL(as.authorization_endpoint ?? "")
    authorizeUrl.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirect,
      response_type: "code",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      scope: "read",
      state: "s",
      resource: resource.href
    }).toString()
    const back = await approve(await world.signedIn(world.here), authorizeUrl.href, { read: "yes" })
    const parameters = oauth.validateAuthResponse(as, client, back, "s")
    const fetchToken = () =>
      oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, redirect, verifier, insecure)
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, await fetchToken())
    assert.deepInclude(tokens, { token_type: "bearer", expires_in: 3600, scope: "read" })
    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token ?? "", insecure)
    )
    assert.notStrictEqual(refreshed.refresh_token, tokens.refresh_token)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, oauth.None(), refreshed.access_token, insecure)
    )
    const response = await fetch(resource, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", authorization: `Bearer ${refreshed.access_token}` }
    })
    assert.strictEqual(response.status, 401)
  })
})
