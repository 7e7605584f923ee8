/** Generates `src/operations.ts`, the input and output types of all operations, from the API description. */
import { refusalCodes } from "@trailbook/core"
import { eventDefinitions } from "@trailbook/core/event"
import type { Operation } from "@trailbook/core/operation/Operation"
import { buildDocument } from "@trailbook/http/openapi/buildDocument"
import { eventsText } from "./eventsText.ts"
import type { JsonSchema } from "./jsonSchema.ts"
import { commentOf, fieldsOf, model, models, type Schemas, typeOf } from "./typeOf.ts"

/** The fields that the generator reads from an operation entry. */
interface Entry {
  readonly parameters: ReadonlyArray<
    { readonly name: string; readonly in: string; readonly description: string; readonly schema: JsonSchema }
  >
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content: Content }>>
}
interface Content {
  readonly "application/json": { readonly schema: JsonSchema }
}

export const operationsText = (operations: ReadonlyArray<Operation.Any>): string => {
  const { components, paths, webhooks } = buildDocument(operations, { base: "/v1" })
  const entryOf = ({ method, path }: Operation.Any) =>
    paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()] as Entry

  // An event is a union of its types.
  const { Error: _, Event: event = {}, ...resources }: Schemas = components.schemas ?? {}
  const inputs: Record<string, JsonSchema> = {}
  const outputs: Record<string, JsonSchema> = {}
  const map: Array<string> = []
  for (const [group, members] of groupOperations(operations)) {
    map.push(`  readonly ${group}: {`)
    for (const operation of members) {
      const entry = entryOf(operation)
      const base = pascal(operation.name)
      const input = inputOf(entry)
      const hasInput = Object.keys(input.properties ?? {}).length > 0
      if (hasInput) inputs[`${base}Input`] = input
      const answer = entry.responses[operation.status]?.content["application/json"].schema ?? {}
      if (answer.$ref === undefined) outputs[`${base}Output`] = answer
      const output = answer.$ref === undefined ? `${base}Output` : typeOf(answer, "output", "")
      map.push(
        `${commentOf(saidOf(operation), "    ")}    readonly ${operation.name.slice(group.length + 1)}: Operation<${
          hasInput ? `${base}Input` : "NoInput"
        }, ${output}>`
      )
    }
    map.push("  }")
  }

  return [
    head,
    ...models(resources, "output"),
    eventsText(event, Object.entries(webhooks).filter(([type]) => isLogged(type))),
    ...inputModels(inputs),
    ...outputModels(outputs, resources),
    parts,
    errors(refusalCodes),
    [
      "/** All operations, grouped by the first part of their name. */",
      "export interface Operations {",
      ...map,
      "}",
      ""
    ].join("\n")
  ].join("\n")
}

const isLogged = (type: string): boolean => eventDefinitions.some((event) => event.type === type)

const head = `/**
 * The operations of the API as plain types. Generated from the server's declarations by \`npm run generate\` in this
 * package. A test checks that the file is up to date.
 */
`

const parts = `/** The input of an operation without parameters. */
export type NoInput = Readonly<Record<string, never>>

/** The input and output of an operation. */
export interface Operation<Input, Output> {
  readonly input: Input
  readonly output: Output
}
`

const errors = (codes: ReadonlyArray<string>): string =>
  [
    "/** The error codes. More can be added later. */",
    "export type ErrorCode =",
    ...codes.map((code) => `  | ${JSON.stringify(code)}`),
    ""
  ].join("\n")

/** Generates the inputs, and a type for each object that several inputs have in the same field. */
const inputModels = (inputs: Schemas): ReadonlyArray<string> => {
  const fields = Object.values(inputs).flatMap(({ properties = {} }) => Object.entries(properties))
  const parts = Object.fromEntries(fields.flatMap(([field, schema]) => {
    const part = objectOf(schema)
    const same = fields.filter(([other, schema]) => other === field && isSameObject(objectOf(schema), part))
    return part === undefined || same.length === 1 ? [] : [[partName(field, schema), part]]
  }))
  const nameField = ([field, schema]: readonly [string, JsonSchema]): readonly [string, JsonSchema] => {
    const name = partName(field, schema)
    if (parts[name] === undefined || !isSameObject(objectOf(schema), parts[name])) return [field, schema]
    const refer = (one: JsonSchema): JsonSchema => one.properties === undefined ? one : { ...one, $ref: name }
    const { anyOf, items } = schema
    if (items !== undefined) return [field, { ...schema, items: refer(items) }]
    return [field, anyOf === undefined ? refer(schema) : { ...schema, anyOf: anyOf.map(refer) }]
  }
  const bases = pageInput(inputs)
  return [
    ...models({ ...bases, ...parts }, "input", {}),
    ...Object.entries(inputs).flatMap(([name, { properties = {}, ...rest }]) => {
      const input = { ...rest, properties: Object.fromEntries(Object.entries(properties).map(nameField)) }
      return rest.allOf === undefined ? models({ [name]: input }, "input", bases) : [unionModel(name, input)]
    })
  ]
}

/** The object in a field that is an object, an object or null, or a list of objects. */
const objectOf = ({ anyOf = [], items = {}, ...schema }: JsonSchema): JsonSchema | undefined =>
  [schema, items, ...anyOf].find(({ properties }) => properties !== undefined)

const partName = (field: string, { items }: JsonSchema): string =>
  `${pascal(field)}${items === undefined ? "" : "Item"}Input`

const isSameObject = (one: JsonSchema | undefined, other: JsonSchema | undefined): boolean =>
  JSON.stringify([one?.properties, one?.required]) === JSON.stringify([other?.properties, other?.required])

/** The input of the lists. */
const pageInput = (inputs: Schemas): Schemas => {
  const { cursor, limit } = Object.values(inputs).find(({ properties }) => properties?.["cursor"] !== undefined)
    ?.properties ?? {}
  return cursor === undefined || limit === undefined ? {} : { PageInput: { properties: { limit, cursor } } }
}

/** Generates the outputs. Lists and operations without a result share a type. */
const outputModels = (outputs: Schemas, resources: Schemas): ReadonlyArray<string> => {
  const find = (fields: string): JsonSchema =>
    Object.values(outputs).find(({ properties = {} }) => Object.keys(properties).join() === fields) ?? {}
  const done = find("ok")
  const page = pageOf(find("data,next_cursor"))
  return [
    `/** The output of operations without a result. */\n${model("Done", fieldsOf(done, "output", "  "))}`,
    `/** The output of lists. */\n${model("Page<Row>", fieldsOf(page, "output", "  "))}`,
    ...Object.entries(outputs).flatMap(([name, output]) =>
      isSameObject(output, done)
        ? [`export type ${name} = Done\n`]
        : isSameObject(pageOf(output), page)
        ? [`export type ${name} = Page<${typeOf(output.properties?.["data"]?.items ?? {}, "output", "")}>\n`]
        : models({ [name]: output }, "output", resources)
    )
  ]
}

/** Replaces the type of the rows with the type parameter `Row`. */
const pageOf = ({ properties: { data, ...others } = {}, ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { data: { ...data, items: { $ref: "Row" } }, ...others }
})

/** Generates a union with one variant for each mutually exclusive field. */
const unionModel = (name: string, { allOf = [], properties = {}, required = [] }: JsonSchema): string => {
  const groups = allOf.map(({ oneOf }) => oneOf.flatMap(({ required }) => required))
  const of = (names: ReadonlyArray<string>, required: ReadonlyArray<string>, indent: string): string =>
    fieldsOf(
      { properties: Object.fromEntries(names.map((name) => [name, properties[name] ?? {}])), required },
      "input",
      indent
    )
  const others = Object.keys(properties).filter((name) => !groups.flat().includes(name))
  const either = groups.map((names) =>
    `  & (\n${
      names.map((name) =>
        `    | {\n${of([name], [name], "      ")}\n${
          names.filter((other) => other !== name).map((other) =>
            `      readonly ${other}?: undefined`
          ).join("\n")
        }\n    }`
      ).join("\n")
    }\n  )`
  )
  return `export type ${name} =\n  & {\n${of(others, required, "    ")}\n  }\n${either.join("\n")}\n`
}

/** Merges the path, query, and body fields into one input. Callers do not see where a field is sent. */
const inputOf = ({ parameters, requestBody }: Entry): JsonSchema => {
  const body = requestBody?.content["application/json"].schema
  const inputParameters = parameters.filter((parameter) => parameter.in !== "header")
  return {
    ...(body?.allOf === undefined ? {} : { allOf: body.allOf }),
    properties: {
      ...Object.fromEntries(inputParameters.map(({ description, name, schema }) => [name, { ...schema, description }])),
      ...body?.properties
    },
    required: [
      ...inputParameters.filter((parameter) => "required" in parameter && parameter.required).map(({ name }) => name),
      ...(body?.required ?? [])
    ]
  }
}

/** Groups the operations by the first part of their names, and keeps their order. */
export const groupOperations = (
  operations: ReadonlyArray<Operation.Any>
): ReadonlyArray<readonly [string, ReadonlyArray<Operation.Any>]> => {
  const groupOf = ({ name }: Operation.Any) => name.slice(0, name.indexOf("."))
  return [...new Set(operations.map(groupOf))].map((group) => [
    group,
    operations.filter((operation) => groupOf(operation) === group)
  ])
}

const pascal = (name: string): string => name.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())

const saidOf = ({ description, summary }: Operation.Any): string =>
  description === summary ? summary : `${summary}\n\n${description}`
