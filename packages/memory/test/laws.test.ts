import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit"

suite("memory", Memory.layer)
