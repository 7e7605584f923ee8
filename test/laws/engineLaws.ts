/**
 * Laws of the booking engine on a storage. These laws call operations and services, while the test kit's laws call
 * ports.
 */
import type { Law } from "@trailbook/testkit/law/Law"
import { laws } from "@trailbook/testkit/laws"
import { attendanceLaws } from "./attendanceLaws.ts"
import { batchLaws } from "./batchLaws.ts"
import { depositLaws } from "./depositLaws.ts"
import { guestLaws } from "./guestLaws.ts"
import { partLaws } from "./partLaws.ts"
import { planLaws } from "./planLaws.ts"
import { priceLaws } from "./priceLaws.ts"
import { clockLaws } from "./race/clockLaws.ts"
import { closureRaces } from "./race/closureRaces.ts"
import { deskMoneyRaces } from "./race/deskMoneyRaces.ts"
import { discountRaces } from "./race/discountRaces.ts"
import { identityRaces } from "./race/identityRaces.ts"
import { linkRaces } from "./race/linkRaces.ts"
import { messageRaces } from "./race/messageRaces.ts"
import { placeRaces } from "./race/placeRaces.ts"
import { settingRaces } from "./race/settingRaces.ts"
import { staffRaces } from "./race/staffRaces.ts"
import { reportSeason } from "./reportSeason.ts"
import { runLaws } from "./runLaws.ts"
import { unattendedAgentLaws } from "./unattendedAgentLaws.ts"
import { updateLaws } from "./updateLaws.ts"

export const engineLaws: ReadonlyArray<Law> = [
  ...placeRaces,
  ...clockLaws,
  ...reportSeason,
  ...identityRaces,
  ...settingRaces,
  ...messageRaces,
  ...guestLaws,
  ...attendanceLaws,
  ...priceLaws,
  ...updateLaws,
  ...depositLaws,
  ...planLaws,
  ...closureRaces,
  ...discountRaces,
  ...deskMoneyRaces,
  ...linkRaces,
  ...staffRaces,
  ...batchLaws,
  ...partLaws,
  ...runLaws,
  ...unattendedAgentLaws
]

/** All laws that this repository's storage adapters must pass. */
export const allLaws: ReadonlyArray<Law> = [...laws, ...engineLaws]
