/**
 * Verifies authenticator responses (WebAuthn Level 3, 7.1 and 7.2). Attestation is not requested, so a registration has
 * no signature to verify. A sign-in is verified with the public key from the registration.
 */
import {
  type AuthenticatorResponse,
  PasskeyVerificationFailed,
  PasskeyVerifier,
  type RelyingParty
} from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"

const base64UrlText = Schema.String.pipe(Schema.pattern(/^[\w-]+$/))
const authenticatorData = base64UrlText

const CreationResponse = Schema.Struct({
  response: Schema.Struct({ clientDataJSON: base64UrlText, authenticatorData, publicKey: base64UrlText })
})
const SignInResponse = Schema.Struct({
  response: Schema.Struct({ clientDataJSON: base64UrlText, authenticatorData, signature: base64UrlText })
})

const ClientData = Schema.parseJson(Schema.Struct({
  type: Schema.String,
  challenge: Schema.String,
  origin: Schema.String,
  crossOrigin: Schema.optional(Schema.Boolean),
  topOrigin: Schema.optional(Schema.String)
}))

export const layer: Layer.Layer<PasskeyVerifier> = Layer.succeed(
  PasskeyVerifier,
  PasskeyVerifier.of({
    verifyRegistration: ({ answer, challenge, relyingParty }) =>
      Effect.gen(function*() {
        const { response } = yield* decodeResponse(CreationResponse, answer.json)
        yield* verifyClientData(response.clientDataJSON, { type: "webauthn.create", challenge, place: relyingParty })
        const { counter, id } = yield* parseAuthenticatorData(response.authenticatorData, relyingParty)
        if (id !== answer.id) return yield* refusePasskey("passkey mismatch")
        yield* importKey(response.publicKey)
        return { id, counter, publicKey: response.publicKey }
      }),
    verifyAuthentication: ({ answer, challenge, passkey, relyingParty }) =>
      Effect.gen(function*() {
        const { response } = yield* decodeResponse(SignInResponse, answer.json)
        const clientData = yield* verifyClientData(response.clientDataJSON, {
          type: "webauthn.get",
          challenge,
          place: relyingParty
        })
        const { counter, data } = yield* parseAuthenticatorData(response.authenticatorData, relyingParty)
        const key = yield* importKey(passkey.publicKey)
        const signedData = Buffer.concat([data, sha256(clientData)])
        return hasValidSignature(key, signedData, decodeBase64Url(response.signature))
          ? counter
          : yield* refusePasskey("signature mismatch")
      })
  })
)

const refusePasskey = (message: string) => Effect.fail(new PasskeyVerificationFailed({ message }))

const decodeBase64Url = (text: string): Buffer => Buffer.from(text, "base64url")

const sha256 = (data: Uint8Array | string): Buffer => createHash("sha256").update(data).digest()

const decodeResponse = <A, I>(schema: Schema.Schema<A, I>, json: AuthenticatorResponse["json"]) =>
  Option.match(Schema.decodeUnknownOption(schema)(json), {
    onNone: () => refusePasskey("malformed authenticator response"),
    onSome: (answer) => Effect.succeed(answer)
  })

/** Verifies the client data (type, challenge, and origin) and returns its bytes. */
const verifyClientData = (
  text: string,
  { challenge, place, type }: { readonly type: string; readonly challenge: string; readonly place: RelyingParty }
) =>
  Effect.gen(function*() {
    const clientData = decodeBase64Url(text)
    const decodedClient = Schema.decodeUnknownOption(ClientData)(clientData.toString("utf8"))
    if (Option.isNone(decodedClient)) return yield* refusePasskey("malformed client data")
    const { crossOrigin, topOrigin, ...claims } = decodedClient.value
    if (claims.type !== type) return yield* refusePasskey("client data type mismatch")
    if (claims.challenge !== challenge) return yield* refusePasskey("challenge mismatch")
    if (claims.origin !== place.origin) return yield* refusePasskey("origin mismatch")
    if (crossOrigin === true || topOrigin !== undefined) {
      return yield* refusePasskey("the request came from a cross-origin frame")
    }
    return clientData
  })

const presentFlag = 0x01
const verifiedFlag = 0x04
const backupEligibleFlag = 0x08
const backedUpFlag = 0x10
const attestedFlag = 0x40

/**
 * Parses authenticator data: a 32-byte hash of the relying party, 1 byte of flags, and a 4-byte counter. The data for a
 * new passkey also contains a 16-byte AAGUID, a 2-byte ID length, and the ID.
 */
const parseAuthenticatorData = (text: string, { host }: RelyingParty) =>
  Effect.gen(function*() {
    const data = decodeBase64Url(text)
    if (data.length < 37) return yield* refusePasskey("authenticator data too short")
    const flags = data.readUInt8(32)
    if (!data.subarray(0, 32).equals(sha256(host))) return yield* refusePasskey("relying party ID mismatch")
    if ((flags & presentFlag) === 0) return yield* refusePasskey("user presence missing")
    if ((flags & verifiedFlag) === 0) return yield* refusePasskey("user verification failed")
    if ((flags & backedUpFlag) !== 0 && (flags & backupEligibleFlag) === 0) {
      return yield* refusePasskey("invalid backup flags")
    }
    const isNewPasskey = (flags & attestedFlag) !== 0 && data.length >= 55
    const idEnd = isNewPasskey ? 55 + data.readUInt16BE(53) : 0
    const id = isNewPasskey && idEnd <= data.length ? data.subarray(55, idEnd).toString("base64url") : undefined
    return { data, id, counter: data.readUInt32BE(33) }
  })

/** Imports a public key that uses one of the requested algorithms. */
const importKey = (text: string): Effect.Effect<KeyObject, PasskeyVerificationFailed> =>
  Effect.flatMap(
    Effect.try({
      try: () => createPublicKey({ key: decodeBase64Url(text), format: "der", type: "spki" }),
      catch: () => new PasskeyVerificationFailed({ message: "malformed public key" })
    }),
    (key) => isSupported(key) ? Effect.succeed(key) : refusePasskey("unsupported key algorithm")
  )

const isSupported = ({ asymmetricKeyDetails: details, asymmetricKeyType: type }: KeyObject): boolean => {
  if (type === "ed25519") return true
  if (type === "ec") return details?.namedCurve === "prime256v1"
  return type === "rsa" && (details?.modulusLength ?? 0) >= 2048
}

const hasValidSignature = (key: KeyObject, data: Uint8Array, signature: Uint8Array): boolean => {
  try {
    return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", data, key, signature)
  } catch {
    // `verify` throws if the signature is malformed.
    return false
  }
}
