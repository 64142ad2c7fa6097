// Drawing for computers without a graphics card. There a draw call for each instance, and light for
// each pixel, are what takes time: so all shapes of a set are one mesh, whose corners look up place
// and colour of their part in a table, and light falls on corners. There are no shadows.
import * as THREE from "three";

const WIDTH = 64; // parts in a row of the table
const TEXELS = 4; // a part: three rows of its matrix, its colour

const VERTEX = `
  attribute float part;
  uniform highp sampler2D table;
  uniform vec3 sun; // towards it, of length 1; 0: everything is as bright as its colour
  varying vec3 vColour;
  void main() {
    int i = int(part + 0.5);
    ivec2 at = ivec2(${TEXELS} * (i % ${WIDTH}), i / ${WIDTH});
    vec4 x = texelFetch(table, at, 0);
    vec4 y = texelFetch(table, at + ivec2(1, 0), 0);
    vec4 z = texelFetch(table, at + ivec2(2, 0), 0);
    vec3 colour = texelFetch(table, at + ivec2(3, 0), 0).rgb;
    if (dot(sun, sun) > 0.0) {
      vec3 n = normal / (x.xyz * x.xyz + y.xyz * y.xyz + z.xyz * z.xyz); // sizes differ by direction
      n = normalize(vec3(dot(x.xyz, n), dot(y.xyz, n), dot(z.xyz, n)));
      colour *= 0.42 + 0.12 * n.z + 0.46 * max(dot(n, sun), 0.0);
    }
    vColour = mix(12.92 * colour, 1.055 * pow(colour, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, colour)); // sRGB
    vec4 p = vec4(position, 1.0);
    gl_Position = projectionMatrix * (viewMatrix * vec4(dot(x, p), dot(y, p), dot(z, p), 1.0));
  }`;

const FRAGMENT = `
  uniform float opacity;
  varying vec3 vColour;
  void main() {
    gl_FragColor = vec4(vColour, opacity);
  }`;

export interface PlainOptions {
  opacity: number;
  side: THREE.Side;
  sun: THREE.Vector3 | null; // null: no light
  depthTest: boolean;
}

/// Copies of geometries behind each other, with the number of their part at every corner.
function join(sets: { geometry: THREE.BufferGeometry; count: number }[]): THREE.BufferGeometry {
  const sizes = sets.map(({ geometry, count }) => ({
    corners: count * geometry.getAttribute("position").count,
    indices: count * (geometry.getIndex()?.count ?? geometry.getAttribute("position").count),
  }));
  const corners = sizes.reduce((sum, size) => sum + size.corners, 0);
  const position = new Float32Array(3 * corners);
  const normal = new Float32Array(3 * corners);
  const part = new Float32Array(corners);
  const index = new Uint32Array(sizes.reduce((sum, size) => sum + size.indices, 0));
  let [corner, entry, number] = [0, 0, 0];
  for (const { geometry, count } of sets) {
    const from = geometry.getAttribute("position");
    const normals = geometry.getAttribute("normal");
    const indices = geometry.getIndex();
    for (let k = 0; k < count; k++, number++) {
      const first = corner;
      position.set(from.array as Float32Array, 3 * first);
      if (normals) normal.set(normals.array as Float32Array, 3 * first);
      part.fill(number, first, first + from.count);
      const entries = indices?.count ?? from.count;
      for (let i = 0; i < entries; i++) index[entry++] = first + (indices ? indices.getX(i) : i);
      corner += from.count;
    }
  }
  const joined = new THREE.BufferGeometry();
  joined.setAttribute("position", new THREE.BufferAttribute(position, 3));
  joined.setAttribute("normal", new THREE.BufferAttribute(normal, 3));
  joined.setAttribute("part", new THREE.BufferAttribute(part, 1));
  joined.setIndex(new THREE.BufferAttribute(index, 1));
  return joined;
}

export class PlainMesh {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private table: THREE.DataTexture;
  private perPart: number; // indices, where all parts have as many

  constructor(sets: { geometry: THREE.BufferGeometry; count: number }[], options: PlainOptions) {
    const parts = sets.reduce((sum, set) => sum + set.count, 0);
    const rows = Math.max(1, Math.ceil(parts / WIDTH));
    const numbers = new Float32Array(4 * TEXELS * WIDTH * rows);
    this.table = new THREE.DataTexture(numbers, TEXELS * WIDTH, rows, THREE.RGBAFormat, THREE.FloatType);
    const material = new THREE.ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        table: { value: this.table },
        sun: { value: options.sun?.clone().normalize() ?? new THREE.Vector3() },
        opacity: { value: options.opacity },
      },
      transparent: options.opacity < 1,
      depthWrite: options.opacity === 1,
      depthTest: options.depthTest,
      side: options.side,
    });
    const geometry = join(sets);
    this.perPart = geometry.getIndex()!.count / Math.max(parts, 1);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.raycast = () => {}; // its instances are asked
  }

  /// Parts from `first` on stand as these instances do.
  take(first: number, from: THREE.InstancedMesh): void {
    const m = from.instanceMatrix.array;
    const c = from.instanceColor?.array;
    const to = this.table.image.data as Float32Array;
    for (let i = 0; i < from.count; i++) {
      const k = 4 * TEXELS * (first + i);
      const s = 16 * i;
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) to[k + 4 * row + column] = m[s + 4 * column + row]!;
        to[k + 12 + row] = c ? c[3 * i + row]! : 1;
      }
    }
    this.table.needsUpdate = true;
  }

  /// Draws the first parts alone; all must be of one geometry.
  limit(count: number): void {
    this.mesh.geometry.setDrawRange(0, count * this.perPart);
    this.mesh.visible = count > 0;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.table.dispose();
  }
}
