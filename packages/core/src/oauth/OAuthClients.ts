import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Ids } from "../port/Ids.ts"
import { currentTime } from "../time/currentTime.ts"
import * as Instant from "../time/Instant.ts"
import {
  isSafeRedirectUri,
  isUrlClientId,
  maxClientNameLength,
  maxRedirectUris,
  type OAuthClient,
  OAuthClientStore,
  type OAuthRefusal,
  refuseOAuth
} from "./OAuthClient.ts"

/** Finds and registers OAuth clients. Instead of registering, a client can publish a metadata document. */
export class OAuthClients extends Context.Tag("@trailbook/core/OAuthClients")<
  OAuthClients,
  {
    /**
     * Finds a client by ID. Fetches the metadata document again after 1 day. If the request fails, uses the cached
     * copy.
     */
    readonly find: (clientId: string) => Effect.Effect<OAuthClient, OAuthRefusal>
    /**
     * Registers a client. Returns the same client for equal metadata, because some programs register for every
     * connection.
     */
    readonly register: (metadata: unknown) => Effect.Effect<OAuthClient, OAuthRefusal>
  }
>() {
  static readonly layer = Layer.effect(OAuthClients, Effect.suspend(() => makeOAuthClients))
}

const makeOAuthClients = Effect.gen(function*() {
  const store = yield* OAuthClientStore
  const documents = yield* ClientMetadataDocuments
  const ids = yield* Ids

  const storeClient = (details: Pick<OAuthClient, "clientId" | "name" | "redirectUris">, existing?: OAuthClient) =>
    Effect.gen(function*() {
      const now = yield* currentTime
      const application: OAuthClient = { ...details, createdAt: existing?.createdAt ?? now, readAt: now }
      yield* store.put(application)
      return application
    })

  const fetchClient = (url: string, existing: OAuthClient | undefined) =>
    Effect.gen(function*() {
      if (!isValidMetadataUrl(url)) return yield* unknownClient
      const details = yield* Effect.flatMap(documents.read(url), (document) => parseMetadataDocument(url, document))
      return yield* storeClient({ clientId: url, ...details }, existing)
    })

  return OAuthClients.of({
    find: (clientId) =>
      Effect.gen(function*() {
        const existing = Option.getOrUndefined(yield* store.find(clientId))
        if (!isUrlClientId(clientId)) return existing ?? (yield* unknownClient)
        if (existing !== undefined && (yield* currentTime) - existing.readAt < dayMs) return existing
        return existing === undefined
          ? yield* fetchClient(clientId, existing)
          : yield* Effect.orElseSucceed(fetchClient(clientId, existing), () => existing)
      }),
    register: (metadata) =>
      Effect.gen(function*() {
        const details = yield* parseClientMetadata(metadata)
        const clientId = makeClientId(ids, details)
        const existing = Option.getOrUndefined(yield* store.find(clientId))
        yield* store.removeUnused(Instant.addMinutes(yield* currentTime, -unusedDays * 24 * 60), 10)
        return yield* storeClient({ clientId, ...details }, existing)
      })
  })
})

const makeClientId = (
  { digest }: Pick<Ids["Type"], "digest">,
  { name, redirectUris }: Pick<OAuthClient, "name" | "redirectUris">
): string => `app_${digest(JSON.stringify([name, [...new Set(redirectUris)].toSorted()])).slice(0, 40)}`

const dayMs = 24 * 3_600_000

/** A client without a grant is deleted after this many days. It can register again. */
const unusedDays = 30

const unknownClient: Either.Either<never, OAuthRefusal> = Either.left(
  refuseOAuth("invalid_client", "client_id: is unknown. Register the client first.")
)

type ClientDetails = Pick<OAuthClient, "name" | "redirectUris">

/**
 * Parses a client's metadata from its registration (RFC 7591) or its metadata document. Unsupported metadata is ignored
 * if the rest is consistent. Dangerous metadata is rejected.
 */
export const parseClientMetadata = (input: unknown): Either.Either<ClientDetails, OAuthRefusal> => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return refuseMetadata("must be a JSON object")
  }
  const metadata: Readonly<Record<string, unknown>> = { ...input }
  const { client_name: name, redirect_uris: redirects } = metadata
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > maxRedirectUris) {
    return refuseMetadata(`redirect_uris: must be a list of 1 to ${maxRedirectUris} URIs`, "invalid_redirect_uri")
  }
  const redirectUris: Array<string> = []
  for (const uri of redirects) {
    if (typeof uri !== "string" || !isSafeRedirectUri(uri)) {
      return refuseMetadata(
        "redirect_uris: each must use https, http on localhost, or a reverse-domain scheme such as " +
          "com.example.app:, without a fragment, spaces, or control characters",
        "invalid_redirect_uri"
      )
    }
    redirectUris.push(uri)
  }
  // A program that ships in thousands of copies cannot keep a secret, and accepting one would suggest that the secret
  // is checked.
  const { grant_types: grants, response_types: responses, token_endpoint_auth_method: method } = metadata
  if (method !== undefined && method !== "none") return refuseMetadata("token_endpoint_auth_method: must be none")
  if (metadata.client_secret !== undefined) return refuseMetadata("client_secret: must be omitted")
  if (grants !== undefined && !(Array.isArray(grants) && grants.includes("authorization_code"))) {
    return refuseMetadata("grant_types: must include authorization_code")
  }
  if (responses !== undefined && !(Array.isArray(responses) && responses.includes("code"))) {
    return refuseMetadata("response_types: must include code")
  }
  if (typeof name === "string" && unreadableCharacters.test(name)) {
    return refuseMetadata("client_name: must not contain line breaks, control characters, or invisible characters")
  }
  return Either.right({ name: typeof name === "string" ? shortenName(name) : "", redirectUris })
}

/** Parses a metadata document, which must contain its own URL as `client_id`. */
export const parseMetadataDocument = (url: string, document: unknown): Either.Either<ClientDetails, OAuthRefusal> =>
  Either.flatMap(
    parseClientMetadata(document),
    (details) =>
      typeof document === "object" && document !== null && "client_id" in document && document.client_id === url
        ? Either.right(details)
        : refuseMetadata("client_id: must be the URL of the document")
  )

/**
 * Returns whether an ID can be the URL of a metadata document. The ID must be an https URL with a path, in canonical
 * form, so that no document has two URLs.
 */
export const isValidMetadataUrl = (url: string): boolean => {
  if (url.length > maxUrl || !URL.canParse(url)) return false
  const { href, pathname, port, protocol } = new URL(url)
  return protocol === "https:" && pathname !== "/" && port === "" && href === url && !/[#@\\]/.test(url)
}

const maxUrl = 500

/**
 * The control characters, line breaks, and format characters, such as text direction marks, that can disguise a name.
 * Joiners are allowed because some scripts and emoji need them.
 */
const unreadableCharacters = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const shortenName = (name: string): string => [...name.toWellFormed().trim()].slice(0, maxClientNameLength).join("")

const refuseMetadata = (
  message: string,
  code: "invalid_client_metadata" | "invalid_redirect_uri" = "invalid_client_metadata"
): Either.Either<never, OAuthRefusal> => Either.left(refuseOAuth(code, message))

/**
 * Fetches client metadata documents. The URL comes from an untrusted client, so the request connects only to public
 * addresses, follows no redirects, times out after 5 seconds, and reads at most 64 kB. It is never sent inside a
 * transaction.
 */
export class ClientMetadataDocuments extends Context.Tag("@trailbook/core/ClientMetadataDocuments")<
  ClientMetadataDocuments,
  {
    /** Fetches a document and returns its parsed JSON. */
    readonly read: (url: string) => Effect.Effect<unknown, OAuthRefusal>
  }
>() {
  /** A service that rejects all documents, so clients must register. */
  static readonly layerNone = Layer.succeed(
    ClientMetadataDocuments,
    ClientMetadataDocuments.of({
      read: () =>
        Effect.fail(
          refuseOAuth(
            "invalid_client",
            "client_id: this server does not support client metadata documents. Register the client instead."
          )
        )
    })
  )
}
