/**
 * Tests that the demo's stored pictures match the drawings. After changing a drawing, write the pictures with
 * `UPDATE_PHOTOS=1`.
 */
import { writeFileSync } from "node:fs"
import sharp from "sharp"
import { assert, it } from "vitest"
import { guestPicture, scenePhotos } from "../../src/photos.ts"
import { drawGuestPicture } from "./drawGuestPicture.ts"
import { drawScene, type Scene, scenes } from "./drawScene.ts"

const webpOf = async (scene: Scene, width: number) =>
  (await sharp(Buffer.from(drawScene(scene)), { density: 72 * width / 600 }).resize(width)
    .webp({ quality: 36, effort: 6 }).toBuffer()).toString("base64")

const drawScenePhotos = async () =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(scenes).map(async ([name, list]) => [
        name,
        await Promise.all(
          list.map(async (scene) => ({
            alt: scene.alt,
            small: await webpOf(scene, 800),
            large: await webpOf(scene, 1200)
          }))
        )
      ])
    )
  )

const isUpdate = process.env["UPDATE_PHOTOS"] === "1"

it.runIf(isUpdate)("writes the demo's pictures", async () => {
  writeFileSync(
    new URL("../../src/photos.ts", import.meta.url),
    `${head}export const scenePhotos = ${JSON.stringify(await drawScenePhotos(), undefined, 2)}

/** The picture that a guest sends, as PNG in base64. */
export const guestPicture = "${Buffer.from(drawGuestPicture()).toString("base64")}"
`
  )
})

it.skipIf(isUpdate)("the demo's photos match its drawings", async () => {
  assert.deepStrictEqual<unknown>(scenePhotos, await drawScenePhotos())
})

it.skipIf(isUpdate)("the guest's picture has the pixels of its drawing", async () => {
  // Compare the pixels, because the compressed bytes depend on the zlib version of Node.
  const [stored, drawn] = await Promise.all(
    [Buffer.from(guestPicture, "base64"), drawGuestPicture()].map((png) => sharp(png).raw().toBuffer())
  )
  assert.deepStrictEqual(stored, drawn)
})

const head = `// dprint-ignore-file
/** The demo's photos as WebP in base64. \`UPDATE_PHOTOS=1 npx vitest run demo/test/photo\` draws and writes them. */
`
