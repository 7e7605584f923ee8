/** HTML forms without files. */
import { invalid, type Refusal, refuse } from "@trailbook/core"
import * as Effect from "effect/Effect"
import type { BodyKind } from "../Route.ts"
import { decodeUtf8 } from "./decodeUtf8.ts"
import { readBytes } from "./readBytes.ts"

/** The values by field name. If a name is repeated, the first value is used. */
export type Form = Readonly<Record<string, string>>

/** An `application/x-www-form-urlencoded` form with at most 64 kB and 150 fields. */
export const formBody: BodyKind<Form> = {
  within: (request, use) => Effect.flatMap(Effect.flatMap(readFormBytes(request), decode), use)
}

const maxBytes = 64 * 1024
const maxFields = 150

const readFormBytes = (request: Request): Effect.Effect<Uint8Array, Refusal> => {
  const { headers } = request
  const type = headers.get("content-type") ?? ""
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return refuse("unsupported_media_type", notAForm)
  if (headers.get("content-encoding") !== null) return refuse("unsupported_media_type", encodingMessage)
  return Effect.mapError(readBytes(request, { maxBytes }), (error) => error.code === "too_large" ? tooLarge : error)
}

const decode = (bytes: Uint8Array): Effect.Effect<Form, Refusal> => {
  const text = decodeUtf8(bytes)
  if (text === undefined) return invalid("The form is not valid UTF-8.")
  // The caller chooses the names, so they must not collide with `Object.prototype`.
  const fields: Record<string, string> = Object.create(null)
  let count = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > maxFields) return invalid(`The form must have at most ${maxFields} fields.`)
    // Browsers send line breaks as CRLF.
    fields[name] ??= value.replaceAll("\r\n", "\n")
  }
  return Effect.succeed(fields)
}

const notAForm = "Send the form as application/x-www-form-urlencoded."
const encodingMessage = "Unsupported Content-Encoding. Send the form uncompressed."
const tooLarge = refuse("too_large", `The form must be at most ${maxBytes} bytes.`)
