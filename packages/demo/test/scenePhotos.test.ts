/**
 * Tests that the demo's photos match the drawn scenes. After changing a drawing, regenerate the photos with
 * `UPDATE_SCENES=1`.
 */
import { writeFileSync } from "node:fs"
import sharp from "sharp"
import { assert, it } from "vitest"
import { drawScene, type Scene, scenes } from "../src/photo/drawScene.ts"
import { scenePhotos } from "../src/photo/scenePhotos.ts"

const webpOf = async (scene: Scene, width: number) =>
  (await sharp(Buffer.from(drawScene(scene)), { density: 72 * width / 600 }).resize(width)
    .webp({ quality: 36, effort: 6 }).toBuffer()).toString("base64")

it("the demo's photos match its drawings", async () => {
  const drawings = Object.fromEntries(
    await Promise.all(
      Object.entries(scenes).map(async ([name, list]) => [
        name,
        await Promise.all(
          list.map(async (scene) => ({ small: await webpOf(scene, 800), large: await webpOf(scene, 1200) }))
        )
      ])
    )
  )
  if (process.env["UPDATE_SCENES"] === "1") {
    const file = new URL("../src/photo/scenePhotos.ts", import.meta.url)
    writeFileSync(file, `${head}export const scenePhotos = ${JSON.stringify(drawings, undefined, 2)}\n`)
    return
  }
  assert.deepStrictEqual<unknown>(scenePhotos, drawings)
})

const head = "// dprint-ignore-file\n" +
  "/** The scenes of `drawScene.ts` as WebP, written by `UPDATE_SCENES=1 npx vitest run scenePhotos`. */\n"
