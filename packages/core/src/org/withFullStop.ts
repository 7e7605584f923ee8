/**
 * Adds a period to a name at the end of a sentence, unless the name already ends with a period, such as `Co.` or
 * `Inc.`.
 */
export const withFullStop = (name: string): string => name.endsWith(".") ? name : `${name}.`
