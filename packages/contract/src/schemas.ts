/*
 * What calls are described with: those parts of zod/mini that the contract itself is made of. They are in every page that
 * makes a call anyway, so that an extension's own endpoints cost nothing but themselves. Who needs more of zod brings a
 * zod of their own: its schemas go into `endpoint()` as well.
 */
export {
  _default,
  array,
  boolean,
  discriminatedUnion,
  endsWith,
  enum,
  guid,
  type infer,
  literal,
  maxLength,
  minLength,
  nullable,
  number,
  object,
  optional,
  record,
  refine,
  regex,
  strictObject,
  string,
  trim,
  union,
  unknown,
  url,
  type ZodMiniType,
} from 'zod/mini'
