import * as Memory from "@trailbook/memory"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { pathSuite } from "../../../../test/pathSuite.ts"
import { database } from "../schema.ts"
import { layer } from "./storage.ts"

const storage = Layer.unwrapScoped(Effect.map(database(), ({ url }) => layer(url)))

pathSuite("Postgres, within host transactions", storage, { reference: Memory.layer })
