/** API metadata as a form field: a JSON object, or empty. */
import { invalid } from "@trailbook/core/Refusal"
import * as Effect from "effect/Effect"

type Metadata = Readonly<Record<string, unknown>>

export const typedMetadata = (metadata: Metadata): string =>
  Object.keys(metadata).length === 0 ? "" : JSON.stringify(metadata, undefined, 2)

export const metadataIn = (form: Readonly<Record<string, string>>) => {
  const text = (form["metadata"] ?? "").trim()
  if (text === "") return Effect.succeed<Metadata>({})
  return Effect.try({
    try: (): Metadata => JSON.parse(text),
    catch: () => invalid(`metadata: must be a JSON object, such as {"boat": "red"}`)
  })
}
