/** Draws the picture that a demo guest sends. It shows the canyon as a child would paint it. */
import { crc32, deflateSync } from "node:zlib"

const width = 360
const height = 240

const palette = {
  sky: "bfe3f7",
  sun: "ffe070",
  wall: "c8744a",
  layer: "a3532f",
  pine: "5c7f3a",
  river: "2f7fb5",
  foam: "e9f6fb",
  raft: "e8352c",
  vest: "f4c430",
  face: "8a5a3c"
} as const

type Color = keyof typeof palette
const colors = Object.keys(palette)

/** Returns a PNG of a few kilobytes. */
export const drawGuestPicture = (): Uint8Array => {
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++) {
    // The first byte in each row is the filter type: 0, none.
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = colors.indexOf(pickColor(x, y))
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // The image has 8 bits per pixel and palette colors.
  header.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    makeChunk("IHDR", header),
    makeChunk("PLTE", Buffer.from(Object.values(palette).join(""), "hex")),
    makeChunk("IDAT", deflateSync(rows)),
    makeChunk("IEND", Buffer.alloc(0))
  ])
}

/** Returns the color of a pixel. The foreground is checked first. */
const pickColor = (x: number, y: number): Color => {
  for (const crewX of crewXs) {
    if (isInCircle(x - crewX, y - 147, 7)) return "face"
    if (Math.abs(x - crewX) < 8 && y > 153 && y < 174) return "vest"
  }
  if (y > 166 && isInCircle((x - 180) / 4, y - 166, 22)) return "raft"
  if (y > getWaterY(x)) return Math.abs(waveOffset(x + 3 * y, 40) - (y % 17) + 4) < 2 ? "foam" : "river"
  const rimY = Math.min(getRimY(x), getRimY(width - x + 20))
  if (y > rimY) {
    if (y - rimY < 6) return "pine"
    return (y + waveOffset(x, 90)) % 22 < 5 ? "layer" : "wall"
  }
  return isInCircle(x - 196, y - 52, 24) ? "sun" : "sky"
}

/** The x positions of the people in the raft. */
const crewXs = [128, 162, 196, 230]

const isInCircle = (x: number, y: number, radius: number): boolean => x * x + y * y < radius * radius

/** Computes a triangle wave with integers, because `Math.sin` results may differ between machines. */
const waveOffset = (x: number, length: number): number => Math.abs((x % length) - length / 2) >> 2

const getWaterY = (x: number): number => 168 + waveOffset(x, 60)

/** Returns the y position of the canyon's rim, which descends in steep steps. */
const getRimY = (x: number): number => x > 168 ? height : 24 + (Math.floor(x / 28) ** 2) * 5 + waveOffset(x, 28)

const makeChunk = (name: string, data: Uint8Array): Buffer => {
  const typeAndData = Buffer.concat([Buffer.from(name, "latin1"), data])
  const frame = Buffer.alloc(typeAndData.length + 8)
  frame.writeUInt32BE(data.length, 0)
  frame.set(typeAndData, 4)
  frame.writeUInt32BE(crc32(typeAndData), typeAndData.length + 4)
  return frame
}
