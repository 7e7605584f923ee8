/**
 * Parses the response of a device, as browsers serialize it (`PublicKeyCredential.toJSON`). Nothing is verified here.
 */
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const base64url = Schema.String.pipe(Schema.pattern(/^[\w-]{1,20000}$/))

const Answer = Schema.Struct({
  id: Schema.String.pipe(Schema.pattern(/^[\w-]{16,1400}$/)),
  type: Schema.Literal("public-key"),
  response: Schema.Struct({
    clientDataJSON: base64url,
    /** The owner of the passkey, if it was used to sign in. */
    userHandle: Schema.optional(Schema.NullOr(Schema.String))
  })
})

const Client = Schema.Struct({ challenge: Schema.String.pipe(Schema.pattern(/^[\w-]{16,200}$/)) })

export interface AuthenticatorResponse {
  /** The ID of the passkey. */
  readonly id: string
  /** The challenge that the device claims to have signed. */
  readonly challenge: string
  /** The ID of the owner, if present. */
  readonly staffId: string | undefined
  /** The complete response. */
  readonly json: unknown
}

/** Parses a response. Returns undefined if it is malformed. */
export const parsePasskeyResponse = (text: string): AuthenticatorResponse | undefined => {
  if (text.length > maxLength) return undefined
  const json = Option.getOrUndefined(Schema.decodeOption(Schema.parseJson())(text))
  const answer = Option.getOrUndefined(Schema.decodeUnknownOption(Answer)(json))
  if (answer === undefined) return undefined
  const client = Schema.decodeOption(Schema.parseJson(Client))(decoded(answer.response.clientDataJSON))
  if (Option.isNone(client)) return undefined
  const { userHandle } = answer.response
  return {
    id: answer.id,
    challenge: client.value.challenge,
    staffId: userHandle === undefined || userHandle === null || userHandle === "" ? undefined : decoded(userHandle),
    json
  }
}

const maxLength = 40_000

const decoded = (text: string): string => {
  const bytes = Encoding.decodeBase64UrlString(text)
  return bytes._tag === "Right" ? bytes.right : ""
}
