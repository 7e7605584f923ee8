/** The error for a feature whose optional package is not installed. */
export class MissingPackage extends Error {
  override readonly name = "MissingPackage"

  constructor(feature: string, name: string, cause: unknown) {
    super(`${feature} requires the package ${name}. Run npm install ${name}.`, { cause })
  }
}

/** Handles a rejected import. If the package is not installed, throws an error that names the package. */
export const throwMissingPackage = (feature: string, name: string) => (error: unknown): never => {
  throw isMissing(error, name) ? new MissingPackage(feature, name, error) : error
}

/** Handles a rejected import. If the package is not installed, returns undefined. */
export const ignoreMissingPackage = (name: string) => (error: unknown): undefined => {
  if (!isMissing(error, name)) throw error
}

// The message also contains the path of the importing module, so compare only its beginning.
const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND" &&
  error.message.startsWith(`Cannot find package '${name}'`)
