/**
 * Generates the event types from the webhooks in the API description. `src/operations.ts` in the client and
 * `src/WebhookEvent.ts` in the receiver contain them.
 */
import type { Operation } from "@trailbook/core/operation/Operation"
import { buildDocument } from "@trailbook/http/openapi/buildDocument"
import type { JsonSchema } from "./jsonSchema.ts"
import { fieldsOf, models, typeOf } from "./typeOf.ts"

/** The fields that the generator reads from a webhook entry. */
interface Entry {
  readonly post: {
    readonly summary: string
    readonly requestBody: { readonly content: { readonly "application/json": { readonly schema: JsonSchema } } }
  }
}

type Webhooks = ReadonlyArray<readonly [type: string, entry: object]>

const dataOf = (entry: object): JsonSchema =>
  (entry as Entry).post.requestBody.content["application/json"].schema.properties?.["data"] ?? {}

export const eventsText = (event: JsonSchema, webhooks: Webhooks, prefix = ""): string => {
  const { data: _, type: __, ...others } = event.properties ?? {}
  const envelope = fieldsOf({ ...event, properties: others }, "output", "    ")
  const data = webhooks.map(([type, entry]) =>
    `  /** ${(entry as Entry).post.summary} */\n  readonly "${type}": ${typeOf(dataOf(entry), "output", "  ")}`
  )
  return `/** The events and the type of their \`data\`: the resource after the change. */
export interface ${prefix}EventData {
${data.join("\n")}
}

/** The known event types. An API version can add more: ignore unknown types. */
export type ${prefix}EventType = keyof ${prefix}EventData

/** An event of the given types. Without types, or with \`*\`, any event. */
export type ${prefix}Event<Type extends ${prefix}EventType | "*" = "*"> = {
  readonly [T in ${prefix}EventType]: {
${envelope}
    readonly type: T
    readonly data: ${prefix}EventData[T]
  }
}[Type extends ${prefix}EventType ? Type : ${prefix}EventType]
`
}

/** The text of the receiver's types for events and their resources. */
export const receiverText = (operations: ReadonlyArray<Operation.Any>): string => {
  const { components, webhooks } = buildDocument(operations, { base: "/v1" })
  const schemas: Readonly<Record<string, JsonSchema>> = components.schemas ?? {}
  const carried = Array.from(
    JSON.stringify(webhooks).matchAll(/#\/components\/schemas\/(\w+)/g),
    ([, name = ""]) => name
  )
  const inner = carried.flatMap((name) =>
    Array.from(JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g), ([, name = ""]) => name)
  )
  return [
    head,
    ...models(
      Object.fromEntries(Object.entries(schemas).filter(([name]) => [...carried, ...inner].includes(name))),
      "output"
    ),
    eventsText(schemas["Event"] ?? {}, Object.entries(webhooks), "Webhook")
  ].join("\n")
}

const head = `/**
 * The events that webhooks carry, as plain types. Generated from the server's declarations by \`npm run generate\` in
 * the client package. A test checks that the file is up to date.
 */
`
