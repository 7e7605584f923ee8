/**
 * What a device answers, as browsers write it down (`PublicKeyCredential.toJSON`). Nothing of
 * it is believed before it was checked: here it is only read.
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
    /** Of a passkey that was used: whom the device has it for. */
    userHandle: Schema.optional(Schema.NullOr(Schema.String))
  })
})

const Client = Schema.Struct({ challenge: Schema.String.pipe(Schema.pattern(/^[\w-]{16,200}$/)) })

/**
 * @category models
 */
export interface AuthenticatorResponse {
  /** The passkey's. */
  readonly id: string
  /** What it says that it was asked to sign. */
  readonly challenge: string
  /** The id of its owner, where it says that. */
  readonly staffId: string | undefined
  /** All of it. */
  readonly json: unknown
}

/**
 * Reads the text of an answer; undefined where it is none.
 *
 * @category parsing
 */
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
