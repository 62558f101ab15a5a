//! Finds the places of a source file that can be mutated.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};
use syn::{Attribute, BinOp, Block, Expr, Item, Lit, Pat, ReturnType, Signature, Stmt, Type, UnOp};

/// A place in a source, with its possible replacements.
pub(crate) struct Site {
    pub(crate) place: Range<usize>,
    pub(crate) shape: Shape,
    /// The name of the function that contains the place.
    pub(crate) function: String,
    /// The description of each change, and its text.
    pub(crate) changes: Vec<(String, String)>,
}

/// How a change applies to the text of its place.
pub(crate) enum Shape {
    /// Replaces the expression.
    Value,
    /// Makes the function return this value at once. The place is empty, after the opening brace of
    /// the body.
    Return,
    /// Removes the statement.
    Statement,
    /// Makes an arm of a `match` never match. The place is empty, after the pattern.
    Arm,
}

/// The sites of a source, and the `const` keywords before functions, which must be removed because
/// a constant function cannot call the switch.
pub(crate) struct Found {
    pub(crate) sites: Vec<Site>,
    pub(crate) consts: Vec<Range<usize>>,
}

/// Finds everything that can be changed, except in functions that `is_skipped` selects or that
/// constants need.
pub(crate) fn find(
    text: &str,
    needed: &BTreeSet<String>,
    is_skipped: &dyn Fn(&str) -> bool,
) -> Result<Found, syn::Error> {
    let file = syn::parse_file(text)?;
    let found = Found { sites: Vec::new(), consts: Vec::new() };
    let mut finder = Finder { text, needed, is_skipped, found, function: String::new() };
    finder.visit_file(&file);
    Ok(finder.found)
}

/// Returns the names of the constant functions that constants call, in all files of a crate.
pub(crate) fn needed_by_constants(texts: &[String]) -> BTreeSet<String> {
    let mut constants = Constants::default();
    for text in texts {
        // A table that another file includes has no items.
        let Ok(file) = syn::parse_file(text) else { continue };
        Collector { text, constants: &mut constants }.visit_file(&file);
    }
    let Constants { mut words, functions } = constants;
    loop {
        let before = words.len();
        for (name, used) in &functions {
            if words.contains(name) {
                words.extend(used.iter().cloned());
            }
        }
        if words.len() == before {
            let names = functions.into_iter().map(|(name, _)| name);
            return names.filter(|name| words.contains(name)).collect();
        }
    }
}

#[derive(Default)]
struct Constants {
    words: BTreeSet<String>,
    functions: Vec<(String, BTreeSet<String>)>,
}

struct Collector<'a> {
    text: &'a str,
    constants: &'a mut Constants,
}

impl Collector<'_> {
    fn words(&self, span: Span) -> BTreeSet<String> {
        let text = &self.text[span.byte_range()];
        text.split(|c: char| c != '_' && !c.is_alphanumeric()).map(str::to_owned).collect()
    }

    fn constant(&mut self, span: Span) {
        let words = self.words(span);
        self.constants.words.extend(words);
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        if signature.constness.is_some() {
            let words = self.words(block.span());
            self.constants.functions.push((signature.ident.to_string(), words));
        }
    }
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.constant(item.expr.span());
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.constant(item.expr.span());
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.constant(item.expr.span());
    }

    fn visit_expr_const(&mut self, block: &'ast syn::ExprConst) {
        self.constant(block.block.span());
    }

    fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
        self.constant(array.len.span());
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.constant(repeat.len.span());
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }
}

struct Finder<'a> {
    text: &'a str,
    needed: &'a BTreeSet<String>,
    is_skipped: &'a dyn Fn(&str) -> bool,
    found: Found,
    /// Returns the name of the function that contains the place.
    function: String,
}

impl Finder<'_> {
    fn add(&mut self, place: Range<usize>, shape: Shape, changes: Vec<(String, String)>) {
        if !changes.is_empty() {
            let function = self.function.clone();
            self.found.sites.push(Site { place, shape, function, changes });
        }
    }

    /// Adds an expression whose `token` is replaced by each of `others`.
    fn swap(&mut self, whole: Span, token: Span, others: &[&str]) {
        let (whole, token) = (whole.byte_range(), token.byte_range());
        let old = &self.text[token.clone()];
        let (before, after) =
            (&self.text[whole.start..token.start], &self.text[token.end..whole.end]);
        let changes = others.iter().map(|new| {
            let said =
                if new.is_empty() { format!("without {old}") } else { format!("{new} for {old}") };
            (said, format!("{before}{new}{after}"))
        });
        self.add(whole, Shape::Value, changes.collect());
    }

    fn value(&mut self, whole: Span, new: String) {
        let place = whole.byte_range();
        let said = format!("{new} for {}", &self.text[place.clone()]);
        self.add(place, Shape::Value, vec![(said, new)]);
    }

    fn condition(&mut self, condition: &Expr, what: &str, values: &[&str]) {
        if !has_let(condition) {
            let changes =
                values.iter().map(|value| (format!("{what} always {value}"), (*value).to_owned()));
            self.add(condition.span().byte_range(), Shape::Value, changes.collect());
        }
    }

    fn is_test(&self, attributes: &[Attribute]) -> bool {
        attributes.iter().any(|attribute| {
            attribute.path().is_ident("cfg")
                && self.text[attribute.span().byte_range()].contains("test")
        })
    }

    /// Visits a function if it is selected, and notes its possible return values.
    fn function(&mut self, signature: &Signature, block: &Block) {
        let name = signature.ident.to_string();
        if (self.is_skipped)(&name) {
            return;
        }
        if let Some(token) = &signature.constness {
            if self.needed.contains(&name) {
                return;
            }
            self.found.consts.push(token.span().byte_range());
        }
        let around = std::mem::replace(&mut self.function, name.clone());
        let inside = block.brace_token.span.open().byte_range().end;
        let changes = results(&signature.output)
            .into_iter()
            .map(|value| (format!("{name} returns {value}"), format!("return {value};")));
        self.add(inside..inside, Shape::Return, changes.collect());
        self.visit_block(block);
        self.function = around;
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(item) => &item.attrs,
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return,
        };
        if !self.is_test(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        if let syn::ImplItem::Fn(item) = item
            && !self.is_test(&item.attrs)
        {
            self.function(&item.sig, &item.block);
        }
    }

    // Skip code that is not an expression evaluated at run time.
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_angle_bracketed_generic_arguments(
        &mut self,
        _: &'ast syn::AngleBracketedGenericArguments,
    ) {
    }
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    // Skip the initial content of buffers.
    fn visit_expr_repeat(&mut self, _: &'ast syn::ExprRepeat) {}

    // Skip the creation of I/O errors, which no fixture causes.
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let function = &self.text[call.func.span().byte_range()];
        if !function.ends_with("Error::io") {
            visit::visit_expr_call(self, call);
        }
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(expression, Some(_)) = statement
            && is_action(expression)
            && !is_room(expression)
        {
            let place = statement.span().byte_range();
            self.add(place, Shape::Statement, vec![("left out".to_owned(), String::new())]);
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if !has_let(&binary.left) && !has_let(&binary.right) {
            self.swap(binary.span(), binary.op.span(), others(&binary.op));
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if !matches!(unary.op, UnOp::Deref(_)) {
            self.swap(unary.span(), unary.op.span(), &[""]);
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let name = call.method.to_string();
        if let Some((_, other)) =
            METHODS.iter().flat_map(|(a, b)| [(a, b), (b, a)]).find(|(old, _)| **old == name)
        {
            self.swap(call.span(), call.method.span(), &[other]);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_macro(&mut self, call: &'ast syn::ExprMacro) {
        if call.mac.path.is_ident("matches") {
            let place = call.span().byte_range();
            self.value(call.span(), format!("!{}", &self.text[place]));
        }
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.condition(&branch.cond, "condition", &["true", "false"]);
        visit::visit_expr_if(self, branch);
    }

    fn visit_expr_while(&mut self, circle: &'ast syn::ExprWhile) {
        self.condition(&circle.cond, "condition", &["false"]);
        visit::visit_expr_while(self, circle);
    }

    fn visit_expr_match(&mut self, choice: &'ast syn::ExprMatch) {
        let last = choice.arms.last();
        let has_rest = last.is_some_and(|arm| arm.guard.is_none() && fits_all(&arm.pat));
        for (place, arm) in (1..).zip(&choice.arms) {
            if let Some((_, guard)) = &arm.guard {
                self.condition(guard, "guard", &["true", "false"]);
            } else if has_rest && place < choice.arms.len() {
                let place = arm.pat.span().byte_range();
                let said = format!("no arm {}", &self.text[place.clone()]);
                self.add(place.end..place.end, Shape::Arm, vec![(said, String::new())]);
            }
        }
        visit::visit_expr_match(self, choice);
    }

    fn visit_expr_lit(&mut self, literal: &'ast syn::ExprLit) {
        let new = match &literal.lit {
            Lit::Int(int) => int
                .base10_parse::<u64>()
                .ok()
                .map(|value| format!("{}{}", value.wrapping_add(1), int.suffix())),
            Lit::Byte(byte) => Some(format!("{}u8", byte.value().wrapping_add(1))),
            Lit::Bool(bool) => Some((!bool.value).to_string()),
            Lit::Str(text) if !text.value().is_empty() && !is_said(&text.value()) => {
                let rest: String = text.value().chars().skip(1).collect();
                Some(format!("{:?}", format!("~{rest}")))
            }
            _ => None,
        };
        if let Some(new) = new {
            self.value(literal.span(), new);
        }
    }
}

const METHODS: [(&str, &str); 9] = [
    ("saturating_add", "saturating_sub"),
    ("wrapping_add", "wrapping_sub"),
    ("checked_add", "checked_sub"),
    ("min", "max"),
    ("is_some", "is_none"),
    ("is_ok", "is_err"),
    ("any", "all"),
    ("is_some_and", "is_none_or"),
    ("starts_with", "ends_with"),
];

fn others(op: &BinOp) -> &'static [&'static str] {
    match op {
        BinOp::Add(_) => &["-"],
        BinOp::Sub(_) => &["+"],
        BinOp::Mul(_) | BinOp::Rem(_) => &["/"],
        BinOp::Div(_) => &["*"],
        BinOp::And(_) => &["||"],
        BinOp::Or(_) => &["&&"],
        BinOp::BitXor(_) | BinOp::BitAnd(_) => &["|"],
        BinOp::BitOr(_) => &["&"],
        BinOp::Shl(_) => &[">>"],
        BinOp::Shr(_) => &["<<"],
        BinOp::Eq(_) => &["!="],
        BinOp::Ne(_) => &["=="],
        BinOp::Lt(_) => &["<=", ">"],
        BinOp::Le(_) => &["<", ">"],
        BinOp::Gt(_) => &[">=", "<"],
        BinOp::Ge(_) => &[">", "<"],
        BinOp::AddAssign(_) => &["-="],
        BinOp::SubAssign(_) => &["+="],
        BinOp::MulAssign(_) | BinOp::RemAssign(_) => &["/="],
        BinOp::DivAssign(_) => &["*="],
        BinOp::BitXorAssign(_) | BinOp::BitAndAssign(_) => &["|="],
        BinOp::BitOrAssign(_) => &["&="],
        BinOp::ShlAssign(_) => &[">>="],
        BinOp::ShrAssign(_) => &["<<="],
        _ => &[],
    }
}

/// Returns values of this type that a function can return instead of its result.
fn results(output: &ReturnType) -> Vec<String> {
    match output {
        ReturnType::Default => vec![String::new()],
        ReturnType::Type(_, of) => values(of),
    }
}

fn values(of: &Type) -> Vec<String> {
    let texts = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    match of {
        Type::Tuple(tuple) if tuple.elems.is_empty() => texts(&["()"]),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            let inner = match &last.arguments {
                syn::PathArguments::AngleBracketed(arguments) => arguments.args.first(),
                _ => None,
            };
            match last.ident.to_string().as_str() {
                "bool" => texts(&["true", "false"]),
                "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" => {
                    texts(&["0", "1"])
                }
                "Option" => texts(&["None"]),
                "Vec" => texts(&["Vec::new()"]),
                "String" => texts(&["String::new()"]),
                "Result" => match inner {
                    Some(syn::GenericArgument::Type(inner)) => {
                        values(inner).iter().map(|value| format!("Ok({value})")).collect()
                    }
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            }
        }
        _ => Vec::new(),
    }
}

/// Returns whether a condition binds a variable.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Returns whether a statement only reserves or releases memory.
fn is_room(expression: &Expr) -> bool {
    matches!(expression, Expr::MethodCall(call) if call.method == "reserve" || call.method == "trim")
}

/// Returns whether a statement has a side effect.
fn is_action(expression: &Expr) -> bool {
    match expression {
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Assign(_) => true,
        Expr::Try(inner) => is_action(&inner.expr),
        Expr::Binary(binary) => others(&binary.op).first().is_some_and(|other| {
            other.ends_with('=') && other.len() > 1 && !matches!(*other, "!=" | "==" | "<=" | ">=")
        }),
        _ => false,
    }
}

/// Returns whether a pattern matches any value. A capitalised name is a constant.
fn fits_all(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.ident.to_string().starts_with(char::is_lowercase),
        _ => false,
    }
}

/// Returns whether a text is the wording of a message.
fn is_said(text: &str) -> bool {
    text.contains(' ') && text.chars().all(|letter| letter == ' ' || letter.is_alphabetic())
}
