declare const __STEPFORK_VERSION__: string

/** The version of this package; put in by the build, `0.0.0` when the sources run unbuilt. */
export const version: string = typeof __STEPFORK_VERSION__ === 'string' ? __STEPFORK_VERSION__ : '0.0.0'
