/** Whether something that a program answered with, or failed with, has a field that is `true`. */
export const hasTrueFlag = (value: unknown, name: string): boolean =>
  typeof value === "object" && value !== null && Reflect.get(value, name) === true
