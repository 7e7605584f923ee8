import { mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { checkBackups, checkDiskSpace } from "../../src/doctor/checkDiskSpace.ts"
import { folder } from "../program.ts"

describe("the disk check", () => {
  it.each([[10, 10, true], [9, 9, false], [15, 9, false], [100, 95, true]])(
    "accepts %d free and %d available blocks of 100: %s",
    async (bfree, bavail, good) => {
      const result = await checkDiskSpace(folder(), () => Promise.resolve({ blocks: 100, bfree, bavail }))
      expect(result.fix === undefined).toBe(good)
    }
  )

  it("measures the real disk, even if the database file is missing", async () => {
    const cwd = folder()
    expect((await checkDiskSpace(join(cwd, "new/trips.sqlite"))).result).toMatch(new RegExp(`^\\d+% used at ${cwd}$`))
  })
})

describe("the backup check", () => {
  const now = Date.UTC(2027, 0, 10)

  it("reports a missing or empty backup folder", () => {
    const empty = folder()
    expect(checkBackups(join(empty, "missing"), now).result).toContain("contains no backup")
    expect(checkBackups(empty, now).fix).toContain("trailbook backup")
  })

  it.each([[0, true], [47, true], [48, false], [500, false]])(
    "accepts a backup that is %d hours old: %s",
    (hours, good) => {
      const backupFolder = join(folder(), "backups")
      mkdirSync(backupFolder)
      for (const [name, age] of [["old", 1000], ["new", hours]] as const) {
        writeFileSync(join(backupFolder, name), "")
        const at = now / 1000 - age * 3600
        utimesSync(join(backupFolder, name), at, at)
      }
      expect(checkBackups(backupFolder, now).fix === undefined).toBe(good)
    }
  )
})
