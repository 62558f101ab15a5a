//! The list of all components of the program, as CycloneDX 1.5 in JSON, from Cargo's metadata and lock file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};
use testkit::workspace_root;

use crate::Failure;

/// The published program, whose components are listed.
const PROGRAM: &str = "scoresheet-cli";
/// Features with which it is published: see .github/workflows/release.yml.
const FEATURES: &str = "scoresheet-cli/full,scoresheet-cli/libzstd";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    description: Option<String>,
    repository: Option<String>,
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// Writes the list.
pub(crate) fn write(path: &Path) -> Result<(), Failure> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--locked", "--features", FEATURES]);
    let output = command.current_dir(workspace_root()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let lock: Lock = toml::from_str(&fs::read_to_string(workspace_root().join("Cargo.lock"))?)?;
    let list = list(&metadata, &lock)?;
    let count = list["components"].as_array().map_or(0, Vec::len);
    fs::write(path, serde_json::to_string_pretty(&list)? + "\n")?;
    println!("{}: {count} components", path.display());
    Ok(())
}

/// Returns the list. Packages that only build or test the program are no components of it.
fn list(metadata: &Metadata, lock: &Lock) -> Result<Value, Failure> {
    let packages: HashMap<&str, &Package> =
        metadata.packages.iter().map(|package| (&*package.id, package)).collect();
    let nodes: HashMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (&*node.id, node)).collect();
    let program = metadata.packages.iter().find(|package| package.name == PROGRAM);
    let program = program.ok_or("no package scoresheet-cli")?;
    let mut needed = BTreeMap::new();
    let mut waiting = vec![&*program.id];
    while let Some(id) = waiting.pop() {
        if needed.contains_key(id) {
            continue;
        }
        let node = nodes.get(id).ok_or("a dependency is not resolved")?;
        let is_normal = |one: &&Dependency| one.dep_kinds.iter().any(|kind| kind.kind.is_none());
        let normal: BTreeSet<&str> =
            node.deps.iter().filter(is_normal).map(|one| &*one.pkg).collect();
        waiting.extend(&normal);
        needed.insert(id, normal);
    }
    let sums: HashMap<(&str, &str), &str> = lock
        .package
        .iter()
        .filter_map(|one| Some(((&*one.name, &*one.version), one.checksum.as_deref()?)))
        .collect();
    let describe = |id: &str| packages.get(id).map(|package| component(package, &sums));
    let others = needed.keys().filter(|id| **id != program.id).filter_map(|id| describe(id));
    let reference = |id: &&str| packages.get(id).map(|package| purl(package));
    let dependencies = needed.iter().filter_map(|(id, on)| {
        let on: Vec<String> = on.iter().filter_map(reference).collect();
        Some(json!({ "ref": reference(id)?, "dependsOn": on }))
    });
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(program, &sums) },
        "components": others.collect::<Vec<_>>(),
        "dependencies": dependencies.collect::<Vec<_>>(),
    }))
}

fn component(package: &Package, sums: &HashMap<(&str, &str), &str>) -> Value {
    let Package { name, version, .. } = package;
    let kind = if name == PROGRAM { "application" } else { "library" };
    let mut value = json!({
        "type": kind,
        "bom-ref": purl(package),
        "name": name,
        "version": version,
        "purl": purl(package),
    });
    if let Some(description) = &package.description {
        value["description"] = json!(description.trim());
    }
    if let Some(license) = &package.license {
        // Some old packages write a slash for OR.
        value["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
    }
    if let Some(sum) = sums.get(&(&**name, &**version)) {
        value["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
    }
    if let (Some(address), true) = (&package.repository, package.source.is_some()) {
        value["externalReferences"] = json!([{ "type": "vcs", "url": address }]);
    }
    value
}

/// Returns the package URL: <https://github.com/package-url/purl-spec>.
fn purl(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version.replace('+', "%2B"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str) -> Package {
        Package {
            id: name.into(),
            name: name.into(),
            version: "1.0.0+a".into(),
            license: Some("MIT/Apache-2.0".into()),
            description: None,
            repository: None,
            source: None,
        }
    }

    fn node(id: &str, deps: &[(&str, Option<&str>)]) -> Node {
        let deps = deps.iter().map(|(pkg, kind)| Dependency {
            pkg: (*pkg).into(),
            dep_kinds: vec![Kind { kind: kind.map(str::to_owned) }],
        });
        Node { id: id.into(), deps: deps.collect() }
    }

    #[test]
    fn list_holds_normal_dependencies_only() {
        let names = [PROGRAM, "a", "b", "builder", "tester"];
        let metadata = Metadata {
            packages: names.map(package).into(),
            resolve: Resolve {
                nodes: vec![
                    node(PROGRAM, &[("a", None), ("tester", Some("dev"))]),
                    node("a", &[("b", None), ("builder", Some("build"))]),
                    node("b", &[]),
                    node("builder", &[]),
                    node("tester", &[]),
                ],
            },
        };
        let locked =
            Locked { name: "b".into(), version: "1.0.0+a".into(), checksum: Some("00ff".into()) };
        let list = list(&metadata, &Lock { package: vec![locked] }).unwrap();
        let components = list["components"].as_array().unwrap();
        let names: Vec<_> = components.iter().map(|one| one["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(components[1]["hashes"][0]["content"], "00ff");
        assert_eq!(components[1]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(components[1]["purl"], "pkg:cargo/b@1.0.0%2Ba");
        assert_eq!(list["dependencies"].as_array().unwrap().len(), 3);
    }
}
