/** Returns whether a result or error of the host application has a field with the value `true`. */
export const hasTrueFlag = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && Reflect.get(value, name) === true
