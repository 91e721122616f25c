// Entry point of the SDK for the tests of an extension.
export { type Answer, type ApiAnswers, failure, type RecordedCall } from './answers.ts'
export { type RenderAppOptions, type RenderedApp, renderApp } from './render-app.tsx'
export {
  type GivenContext,
  givenContext,
  type RenderedCard,
  type RenderPartOptions,
  renderCard,
  renderPageTab,
} from './render-card.tsx'
export { sample } from './sample.ts'
