import { asTexts, booleanAt, textAt } from '#config/read.ts'
import { get } from '#config/yaml/node.ts'
import { commonKeys, nameAndWhen, type StepKind } from './step-kind.ts'

/** Gives later steps a Docker engine. */
export const setupRemoteDocker: StepKind = {
  keys: [...commonKeys, 'docker_layer_caching', 'version', 'prefer_same_region', 'reusable', 'exclusive'],
  bare: true,
  read(body, trail) {
    const version = textAt(body, 'version', trail)
    return {
      ...nameAndWhen(body, 'Setup a remote Docker engine', 'on_success', trail),
      type: 'setup_remote_docker',
      ...(version !== undefined && { version }),
      dockerLayerCaching: booleanAt(body, 'docker_layer_caching', trail) ?? false,
    }
  },
}

/** Gives later steps the keys of the project, or some of them. */
export const addSshKeys: StepKind = {
  keys: [...commonKeys, 'fingerprints'],
  bare: true,
  read(body, trail) {
    const fingerprints = get(body, 'fingerprints')
    return {
      ...nameAndWhen(body, 'Installing additional ssh keys', 'on_success', trail),
      type: 'add_ssh_keys',
      fingerprints: fingerprints ? asTexts(fingerprints, trail, 'fingerprints') : [],
    }
  },
}

/** Of macOS jobs on the original service only: accepted, and nothing to do here. */
export const installSigningBundle: StepKind = { keys: commonKeys, bare: true, read: () => undefined }
