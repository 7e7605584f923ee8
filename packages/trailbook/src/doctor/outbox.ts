import { randomUUID } from "node:crypto"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fault, type Finding, makePassed } from "./Finding.ts"

/** Whether mails can be written. */
export const outbox = (folder: string): Finding => writableFolder("outbox", folder, "--outbox")

/**
 * Whether files can be written: by writing one into the folder, or into the
 * nearest folder above it while it is not there, which a server would make.
 */
export const writableFolder = (check: string, folder: string, setting: string): Finding => {
  let nearest = resolve(folder)
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  const probe = join(nearest, `.trailbook-doctor-${randomUUID()}`)
  try {
    writeFileSync(probe, "", { flag: "wx", mode: 0o600 })
    rmSync(probe)
    return makePassed(check, nearest === resolve(folder) ? folder : `${folder} can be made`)
  } catch (error) {
    return fault(
      check,
      `${folder} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      `Let this user write to ${nearest}, or choose another folder with ${setting}.`
    )
  }
}
