/** A property that fails is made smaller for so long and then told; without an end it may be made smaller for ever. */
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), interruptAfterTimeLimit: 25_000 })
