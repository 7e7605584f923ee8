import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { OperatorError } from "../OperatorError.ts"

/** Reads a PEM file with a private key. */
export const readPem = (file: string, setting: string): Effect.Effect<string, OperatorError> =>
  Effect.flatMap(
    Effect.try({
      try: () => readFileSync(file, "utf8"),
      catch: (cause) =>
        new OperatorError(
          `Cannot read the file ${file} set by ${setting}: ${cause instanceof Error ? cause.message : String(cause)}`
        )
    }),
    (text) =>
      /^-----BEGIN [A-Z ]*PRIVATE KEY-----/m.test(text)
        ? Effect.succeed(text)
        : Effect.fail(
          new OperatorError(
            `The file ${file} set by ${setting} must contain a private key in PEM format, which starts with -----BEGIN.`
          )
        )
  )
