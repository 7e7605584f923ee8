/** Adds a period to a name that ends a sentence, unless the name already ends with one, as in `Co.` or `Inc.`. */
export const ensureFinalPeriod = (name: string): string => name.endsWith(".") ? name : `${name}.`
