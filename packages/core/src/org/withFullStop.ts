/** Adds a period to a name at the end of a sentence, unless it ends with one, such as `Co.` or `Inc.`. */
export const withFullStop = (name: string): string => name.endsWith(".") ? name : `${name}.`
