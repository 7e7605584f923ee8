import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit"

// It is the reference: here a model run compares a desk that sells batches with one that sells order by order.
suite("memory", Memory.layer, { reference: Memory.layer })
