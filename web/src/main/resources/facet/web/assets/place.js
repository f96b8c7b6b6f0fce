// On which devices a slice is, and what it has there.

import { bytes, percent } from './format.js';

const NOWHERE = -1;

function index(slice, device) {
  // Numbers of another node's devices mean nothing here.
  return slice.node ? NOWHERE : slice.onDevices?.indexOf(device) ?? NOWHERE;
}

export function isOn(slice, device) {
  return index(slice, device) !== NOWHERE;
}

/** Percent of a device's time in the last second. */
export function gotOn(slice, device) {
  return slice.gotOn?.[index(slice, device)] ?? 0;
}

/** Bytes of it that are on a device; where some were moved out it is not told from which, so from all alike. */
export function residentOn(slice, device) {
  const used = slice.memoryUsedOn?.[index(slice, device)] ?? 0;
  return slice.memoryUsed > 0 ? used * (slice.memoryResident ?? slice.memoryUsed) / slice.memoryUsed : 0;
}

/** Bytes that it may have of a device: no more than there are. */
function limitOn(slice, device) {
  return Math.min(slice.memory, device.memory);
}

/** Bytes that it may have of all its devices. */
export function limit(slice, devices) {
  if (slice.node) {
    return slice.memory * slice.devices;
  }
  return devices.filter((each) => isOn(slice, each.device)).reduce((sum, each) => sum + limitOn(slice, each), 0);
}

/** device 1, devices 0, 2, node far; nothing where this node has one. */
export function where(slice, devices) {
  if (slice.node) {
    return `node ${slice.node}`;
  }
  const numbers = slice.onDevices ?? [];
  return devices.length < 2 || !numbers.length ? '' : `${numbers.length === 1 ? 'device' : 'devices'} ${numbers.join(', ')}`;
}

/** For each of its devices, where it has several, what it has there. */
export function each(slice, devices) {
  const on = devices.filter((one) => isOn(slice, one.device));
  return on.length < 2 ? [] : on.map((one) => `device ${one.device}: ${percent(gotOn(slice, one.device))}, `
    + `${bytes(slice.memoryUsedOn?.[index(slice, one.device)] ?? 0)} of ${bytes(limitOn(slice, one))}`);
}
