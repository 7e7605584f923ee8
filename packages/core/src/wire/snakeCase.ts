/** Converts between `snake_case` in the API and `camelCase` in the domain. */
import type * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

const camel = (name: string): string => {
  const cachedName = camelNames.get(name)
  if (cachedName !== undefined) return cachedName
  const camelName = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  camelNames.set(name, camelName)
  return camelName
}

/** A cache of converted field names. A lookup takes a tenth as long as a conversion. */
const camelNames = new Map<string, string>()

/** Fields whose names end in `_at` are instants. */
type Plain<Name, Value> = Name extends `${string}_at` ? Instant.Instant | Extract<Value, null> : Value

type SnakeCased<View> = { readonly [Name in keyof View & string as Camel<Name>]: Plain<Name, View[Name]> }

/**
 * Creates a function that builds a view from a value. Additional fields are omitted. A missing field or a field of the
 * wrong type is a type error.
 */
export const makeViewMapper = <Fields extends Schema.Struct.Fields>(
  { fields }: Schema.Struct<Fields>
): (value: SnakeCased<Schema.Struct.Type<Fields>>) => Schema.Struct.Type<Fields> => {
  const names = Object.keys(fields).map((name) => ({ name, from: camel(name), isMoment: name.endsWith("_at") }))
  return (value: Readonly<Record<string, unknown>>) => {
    const view: Record<string, unknown> = {}
    for (const { from, isMoment, name } of names) {
      const plain = value[from]
      view[name] = isMoment && plain !== null ? Instant.format(plain as Instant.Instant) : plain
    }
    return view as Schema.Struct.Type<Fields>
  }
}

type Patch<Given> = { readonly [Name in keyof Given & string as Camel<Name>]?: Exclude<Given[Name], undefined> }

/** Renames fields to their domain names. Missing fields remain missing. */
export const toPatch = <Given extends object>(fields: Given): Patch<Given> => {
  const patch: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) patch[camel(name)] = value
  }
  return patch as Patch<Given>
}
