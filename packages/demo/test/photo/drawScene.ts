/**
 * Draws the landscapes that the demo shows as photos. Each landscape is an SVG computed from a seed. `photos.ts` stores
 * the landscapes as WebP, because the demo also runs without an image library.
 */
import { makeSeededByteSource } from "../../src/seededRandom.ts"

export interface Scene {
  readonly alt: string
  readonly seed: number
  /** The sky from top to bottom, the ridges from far to near, the trees, and the water from top to bottom. */
  readonly sky: readonly [string, string]
  readonly ridges: ReadonlyArray<string>
  readonly trees: string | null
  readonly water: readonly [string, string]
  readonly boats: ReadonlyArray<
    { readonly color: string; readonly people: number; readonly x: number; readonly y: number }
  >
}

const width = 600
const height = 400
const shoreY = 240

export const drawScene = ({ boats, ridges, seed, sky, trees, water }: Scene): string => {
  const bytes = makeSeededByteSource(seed)
  const random = (from: number, to: number): number => from + (bytes(1)[0] ?? 0) / 256 * (to - from)
  const drawRidge = (color: string, index: number): string => {
    const steps = 8 + index * 5
    const points = Array.from(
      { length: steps + 1 },
      (_, at) => `${Math.round(at * width / steps)} ${Math.round(random(70, 130) + index * 42)}`
    )
    return `<path fill="${color}" d="M0 ${height}L${points.join("L")}V${height}Z"/>`
  }
  const pines = Array.from({ length: 34 }, (_, at) => {
    const [x, treeHeight] = [at * 18 + random(-6, 6), random(18, 58)]
    return `M${x - treeHeight / 4} ${shoreY + 10}L${x} ${shoreY + 8 - treeHeight}L${x + treeHeight / 4} ${shoreY + 10}Z`
  })
  const waves = Array.from({ length: 16 }, () => {
    const waveLength = random(30, 100)
    return `M${random(-20, width)} ${random(shoreY + 20, height)}q${waveLength / 2} -4 ${waveLength} 0`
  })
  const makeGradient = (id: string, [top, bottom]: readonly [string, string]) =>
    `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">`,
    `<defs>${makeGradient("sky", sky)}${makeGradient("water", water)}</defs>`,
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>`,
    `<circle cx="${random(330, 470)}" cy="80" r="28" fill="#fff4d6" opacity=".9"/>`,
    ...ridges.map(drawRidge),
    trees === null ? "" : `<path fill="${trees}" d="${pines.join("")}M0 ${shoreY}h${width}v14H0z"/>`,
    `<path fill="url(#water)" d="M0 252Q180 ${shoreY} 330 250T600 248V${height}H0z"/>`,
    `<path d="${waves.join("")}" stroke="#fff" stroke-opacity=".5" stroke-width="2" fill="none"/>`,
    ...boats.map(drawBoat),
    "</svg>"
  ].join("")
}

const vests = ["#f2b134", "#2f6f8f", "#7a4a9c", "#5b8a3c"]
const faces = ["#e8c39e", "#8d5a3b", "#f0cfae", "#c98f66"]

const drawBoat = ({ color, people, x, y }: Scene["boats"][number]): string => {
  const halfLength = people * 15 + 20
  const crew = Array.from({ length: people }, (_, at) => {
    const paddleOffset = at % 2 === 0 ? -30 : 30
    return `<g transform="translate(${30 * at - (people - 1) * 15} -18)">` +
      `<path d="M-9 8q0-22 9-22t9 22z" fill="${vests[at % 4]}"/><circle cy="-20" r="7" fill="${faces[at % 4]}"/>` +
      `<path d="M-8-22a8 8 0 0 1 16 0z" fill="#23343a"/><path d="M6-4L${paddleOffset} 30" stroke="#6b4a2c" stroke-width="3"/></g>`
  })
  return `<g transform="translate(${x} ${y})">` +
    `<path d="M${-halfLength} 0q-10-18 8-16h${2 * halfLength - 16}q18-2 8 16q-6 16-24 17H${
      24 - halfLength
    }q-18-1-24-17z" fill="${color}"/>` +
    `<path d="M${12 - halfLength} 4H${halfLength - 12}" stroke="#fff8" stroke-width="4"/>${crew.join("")}</g>`
}

const greenRidges = ["#8fa9ad", "#6d8a86", "#4a6b5d"]
const redRidges = ["#c58a6a", "#a8674b", "#7d4a39"]

/** The demo's photos by activity. */
export const scenes = {
  brownsCanyon: [
    {
      alt: "A raft between the red walls of Browns Canyon",
      seed: 8,
      sky: ["#e8a98a", "#ffe3c2"],
      ridges: redRidges,
      trees: "#3f3a2c",
      water: ["#d9c9b4", "#5a8b8f"],
      boats: [{ color: "#c8482f", people: 4, x: 250, y: 310 }]
    },
    {
      alt: "Two rafts below snowy peaks",
      seed: 33,
      sky: ["#7fb0d8", "#f4f1e4"],
      ridges: ["#c9d3d9", "#8aa3ad", "#557a72"],
      trees: "#2f5140",
      water: ["#cfe0dc", "#4f8a93"],
      boats: [{ color: "#c8482f", people: 4, x: 190, y: 300 }, { color: "#e0a83a", people: 4, x: 420, y: 350 }]
    }
  ],
  familyFloat: [
    {
      alt: "Two rafts on flat water below forested hills",
      seed: 3,
      sky: ["#9fc3d6", "#f6d8ae"],
      ridges: greenRidges,
      trees: "#2c4b3c",
      water: ["#cfe0dc", "#4f8a93"],
      boats: [{ color: "#e0a83a", people: 4, x: 210, y: 305 }, { color: "#c8482f", people: 3, x: 430, y: 345 }]
    }
  ],
  fishingGuide: [
    {
      alt: "An angler and a guide on the Arkansas in the morning",
      seed: 12,
      sky: ["#9db4c6", "#dfe8ee"],
      ridges: ["#93a5b0", "#71868f", "#4f6a66"],
      trees: "#2d473f",
      water: ["#cfe0dc", "#4f8a93"],
      boats: [{ color: "#4d6b57", people: 2, x: 300, y: 315 }]
    }
  ],
  touringKayak: [
    {
      alt: "Kayaks on the Green River in Labyrinth Canyon",
      seed: 21,
      sky: ["#8fb7d9", "#fbe6cf"],
      ridges: redRidges,
      trees: null,
      water: ["#d8c7a8", "#6f8f7d"],
      boats: [{ color: "#2f6f8f", people: 1, x: 220, y: 300 }, { color: "#e0a83a", people: 1, x: 400, y: 340 }]
    }
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<Scene>>>
