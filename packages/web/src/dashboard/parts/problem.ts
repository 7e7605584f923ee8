import type { Refused } from "../View.ts"

/**
 * What is wrong, by the field that it is about: refusals begin with the field's name.
 *
 * @category getters
 */
export const problemOf = (
  refused: Pick<Refused, "message"> | undefined,
  names: Readonly<Record<string, string>>
): { readonly field: string | undefined; readonly message: string } | undefined => {
  if (refused === undefined) return undefined
  const { message } = refused
  const [field] = Object.keys(names).filter((name) => message.startsWith(`${name}:`) || message.startsWith(`${name}.`))
    .sort((a, b) => b.length - a.length)
  return field === undefined
    ? { field, message }
    : { field, message: `${names[field]}${message.slice(message.indexOf(":", field.length))}` }
}
