/**
 * A name that ends a sentence: many a name has the full stop of `Co.` or `Inc.`, which is that of the sentence, too.
 *
 * @category formatting
 */
export const withFullStop = (name: string): string => name.endsWith(".") ? name : `${name}.`
