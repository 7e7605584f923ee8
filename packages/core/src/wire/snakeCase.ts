/**
 * Fields are `snake_case` on the wire and `camelCase` in the domain. What is the same otherwise is told by
 * the view's own list of fields.
 */
import type * as Schema from "effect/Schema"
import * as Instant from "../time/Instant.ts"

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Fields that end in `_at` are moments. */
type Plain<Name, Value> = Name extends `${string}_at` ? Instant.Instant | Extract<Value, null> : Value

type Viewed<View> = { readonly [Name in keyof View & string as Camel<Name>]: Plain<Name, View[Name]> }

/**
 * Makes a view of a value that has its fields, and maybe more: these stay out. A field that is missing,
 * or that is something else, does not compile.
 *
 * @category converting
 */
export const toView = <Fields extends Schema.Struct.Fields>(
  { fields }: Schema.Struct<Fields>
): (value: Viewed<Schema.Struct.Type<Fields>>) => Schema.Struct.Type<Fields> => {
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

/**
 * The fields given, under their names in the domain; what is left out stays out.
 *
 * @category converting
 */
export const toPatch = <Given extends object>(given: Given): Patch<Given> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => value === undefined ? [] : [[camel(name), value]])
  ) as Patch<Given>
