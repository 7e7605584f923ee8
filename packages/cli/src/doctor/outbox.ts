import { randomUUID } from "node:crypto"
import { existsSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fault, type Finding, makePassed } from "./Finding.ts"

export const outbox = (folder: string): Finding => writableFolder("outbox", folder, "--outbox")

/**
 * Checks a folder by writing a file to it. If the folder does not exist, its nearest existing parent is checked, because
 * a server would create the folder.
 */
export const writableFolder = (check: string, folder: string, setting: string): Finding => {
  let nearest = resolve(folder)
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest)
  const probe = join(nearest, `.trailbook-doctor-${randomUUID()}`)
  try {
    writeFileSync(probe, "", { flag: "wx", mode: 0o600 })
    rmSync(probe)
    return makePassed(check, nearest === resolve(folder) ? folder : `${folder} can be created`)
  } catch (error) {
    return fault(
      check,
      `${folder} is not writable: ${error instanceof Error ? error.message : String(error)}`,
      `Make ${nearest} writable by this user, or choose another folder with ${setting}.`
    )
  }
}
