/** Returns whether a result or error from the host application has this field set to `true`. */
export const hasTrueFlag = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && Reflect.get(value, name) === true
