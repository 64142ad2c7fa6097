// The XML layer: trees with lines, values of attributes, and what is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/scratch.h"
#include "io/xml/xml.h"

static TactXml xml;

static int create(void **state)
{
    (void)state;
    return tact_xml_create(&xml) == TACT_OK ? 0 : -1;
}

static int destroy(void **state)
{
    (void)state;
    tact_xml_destroy(&xml);
    return 0;
}

static TactXmlNode *parse(const char *text)
{
    TactXmlNode *root;
    if (tact_xml_read_memory(&xml, "a.xml", text, strlen(text), &root) != TACT_OK) {
        fail_msg("%s", tact_status_message());
    }
    return root;
}

static void expect_bad(const char *text, const char *words)
{
    TactXmlNode *root;
    TactStatus   status = tact_xml_read_memory(&xml, "a.xml", text, strlen(text), &root);
    assert_int_equal(status, TACT_BAD_INPUT);
    assert_null(root);
    tact_scratch_said(words);
}

// ---------------------------------------------------------------------------------------------
// Trees

static void a_tree_has_its_elements_in_order(void **state)
{
    (void)state;
    TactXmlNode *root = parse("<a><b x='1'/><c><d/></c><b x='2'/></a>");
    assert_string_equal(root->name, "a");
    TactXmlNode *b = tact_xml_child(root, "b");
    assert_string_equal(tact_xml_get(b, "x"), "1");
    assert_string_equal(tact_xml_get(tact_xml_next(b, "b"), "x"), "2");
    assert_null(tact_xml_child(root, "d"));
    assert_null(tact_xml_get(b, "y"));

    char order[16] = "";
    for (TactXmlNode *node = root; node; node = tact_xml_following(root, node)) {
        strcat(order, node->name);
    }
    assert_string_equal(order, "abcdb");
}

static void elements_and_attributes_know_their_lines(void **state)
{
    (void)state;
    TactXmlNode *root = parse("<?xml version='1.0'?>\n<!-- a\ncomment -->\n<a\n  x='1'\n  y='2\n3' "
                              "z='4'\n>\n <b/>text\n <c\n/></a>\n");
    assert_int_equal(root->line, 4);
    assert_int_equal(tact_xml_attribute(root, "x")->line, 5);
    assert_int_equal(tact_xml_attribute(root, "y")->line, 6);
    assert_int_equal(tact_xml_attribute(root, "z")->line, 7);
    assert_int_equal(tact_xml_child(root, "b")->line, 9);
    assert_int_equal(tact_xml_child(root, "c")->line, 10);
}

static void text_is_kept_and_blanks_are_not(void **state)
{
    (void)state;
    TactXmlNode *root = parse("<a>\n <mu> 0.5 </mu>\n <b><![CDATA[x<y]]></b></a>");
    assert_string_equal(tact_xml_child(root, "mu")->text, " 0.5 ");
    assert_string_equal(tact_xml_child(root, "b")->text, "x<y");
    assert_true(strspn(root->text, " \n") == strlen(root->text));
}

static void long_texts_and_texts_between_children_do_no_harm(void **state)
{
    (void)state;
    enum { LENGTH = 3000000 };
    char *text = malloc(LENGTH + 16);
    assert_non_null(text);
    memcpy(text, "<a>", 3);
    memset(text + 3, 'x', LENGTH);
    strcpy(text + 3 + LENGTH, "</a>");
    assert_int_equal(strlen(parse(text)->text), LENGTH);
    free(text);
    TactXmlNode *root = parse("<a>one<b>two</b>three<c>four<!-- --> five</c></a>");
    assert_string_equal(root->text, "one");
    assert_string_equal(root->first->text, "two");
    assert_string_equal(root->last->text, "four five");
}

static void the_entities_of_xml_itself_are_read(void **state)
{
    (void)state;
    TactXmlNode *root = parse("<a x='&lt;&amp;&#65;'>&gt;</a>");
    assert_string_equal(tact_xml_get(root, "x"), "<&A");
    assert_string_equal(root->text, ">");
}

static void prefixes_stay_in_names(void **state)
{
    (void)state;
    TactXmlNode *root = parse("<robot><sensor:camera name='c'/></robot>");
    assert_string_equal(root->first->name, "sensor:camera");
}

static char *nested(int depth)
{
    char *text = malloc((size_t)depth * 7 + 1);
    assert_non_null(text);
    for (int i = 0; i < depth; i++) {
        memcpy(text + 3 * i, "<b>", 3);
        memcpy(text + 3 * depth + 4 * i, "</b>", 4);
    }
    text[7 * depth] = '\0';
    return text;
}

static void thousands_of_levels_are_read_and_too_many_refused(void **state)
{
    (void)state;
    char        *deep = nested(TACT_XML_MAX_DEPTH);
    TactXmlNode *root = parse(deep);
    int          depth = 0;
    for (TactXmlNode *node = root; node; node = node->first) {
        depth++;
    }
    assert_int_equal(depth, TACT_XML_MAX_DEPTH);
    free(deep);
    char *deeper = nested(10000);
    expect_bad(deeper, "a.xml:1: more than 8192 elements inside one another");
    free(deeper);
}

// ---------------------------------------------------------------------------------------------
// What is refused

static void broken_files_are_refused_with_their_line(void **state)
{
    (void)state;
    expect_bad("<a>\n<b>\n</a>", "a.xml:3: broken XML");
    expect_bad("<a x='1' x='2'/>", "a.xml:1: broken XML");
    expect_bad("<a>\n<b x=1/></a>", "a.xml:2: broken XML");
    expect_bad("", "a.xml: is empty");
    expect_bad("<a><!-- no end </a>", "a.xml:1: broken XML");
    expect_bad("<a><!-- a -- b --><b></a>", "a.xml:1: broken XML");
    expect_bad("solid cube", "a.xml:1: broken XML");
    expect_bad("<a/><b/>", "a.xml:1: broken XML");
    expect_bad("<a>&undefined;</a>", "a.xml:1:");
}

static void dashes_in_comments_do_no_harm(void **state)
{
    (void)state;
    TactXmlNode *root = parse("<!-- ----- arm ----- -->\n<a><!--- b --->\n<b/></a>\n<!-- -- -->");
    assert_string_equal(root->first->name, "b");
    assert_int_equal(root->first->line, 3);
    root = parse("<a>text <![CDATA[<!-- no -- comment -->]]><!-- -- --></a><!---- --->");
    assert_string_equal(root->text, "text <!-- no -- comment -->");
    assert_string_equal(parse("<!---> -- --><a/>")->name, "a");
}

static void bytes_that_are_not_utf8_are_taken_as_latin1(void **state)
{
    (void)state;
    // Two characters of GBK, a degree sign of Latin-1, the first half of a sequence at the end
    TactXmlNode *root = parse("<?xml version='1.0'?>\n<a x='90\xb0' y='\xc3\xa9'><!-- \xbb\xfa -->"
                              "<b z='\xe2\x82'/></a>");
    assert_string_equal(tact_xml_get(root, "x"), "90\xc2\xb0");
    assert_string_equal(tact_xml_get(root, "y"), "\xc3\xa9");
    assert_string_equal(tact_xml_get(root->first, "z"), "\xc3\xa2\xc2\x82");
    // Overlong, half of a pair, beyond the last character
    root = parse("<a x='\xc0\xaf' y='\xed\xa0\x80' z='\xf5'/>");
    assert_string_equal(tact_xml_get(root, "x"), "\xc3\x80\xc2\xaf");
    assert_string_equal(tact_xml_get(root, "z"), "\xc3\xb5");
    // A file that says what it is, is read as that.
    root = parse("<?xml version='1.0' encoding='ISO-8859-1'?><a x='90\xb0'/>");
    assert_string_equal(tact_xml_get(root, "x"), "90\xc2\xb0");
}

static void entities_are_refused(void **state)
{
    (void)state;
    expect_bad("<!DOCTYPE a [\n<!ENTITY l 'lol'>\n<!ENTITY m '&l;&l;&l;&l;&l;&l;&l;&l;'>\n"
               "<!ENTITY n '&m;&m;&m;&m;&m;&m;&m;&m;'>]>\n<a>&n;</a>",
               "a.xml:2: entities are not allowed");
    expect_bad("<!DOCTYPE a [<!ENTITY f SYSTEM 'file:///etc/passwd'>]>\n<a>&f;</a>",
               "entities are not allowed");
    expect_bad("<!DOCTYPE a [<!ENTITY % f SYSTEM 'file:///etc/passwd'> %f;]>\n<a/>",
               "entities are not allowed");
    expect_bad("<!DOCTYPE a SYSTEM 'http://localhost/a.dtd'>\n<a x='&f;'/>",
               "a.xml:1: a document type in another file is not read");
    expect_bad("<!DOCTYPE a PUBLIC 'p' '/etc/passwd'>\n<a>&f;</a>",
               "a document type in another file is not read");
    expect_bad("<!DOCTYPE a [<!ATTLIST a x CDATA 'hidden'>]>\n<a/>",
               "declarations in a document type are not allowed");
    expect_bad("<!DOCTYPE a [<!ELEMENT a (b*)>]>\n<a/>",
               "declarations in a document type are not allowed");
    assert_string_equal(parse("<!DOCTYPE a>\n<a/>")->name, "a");
}

static void files_that_are_not_there_are_told(void **state)
{
    (void)state;
    TactXmlNode *root;
    assert_int_equal(tact_xml_read(&xml, "/nowhere/a.xml", &root), TACT_IO_ERROR);
    tact_scratch_said("/nowhere/a.xml: cannot be opened");
}

// ---------------------------------------------------------------------------------------------
// Values

static void numbers_are_read_and_counted(void **state)
{
    (void)state;
    TactXmlNode *root = parse("<a p=' 1 -2.5e1\n3 ' few='1 2' word='1 two 3' inf='inf' n='7' "
                              "big='99999999999' b='true' c='yes'/>");
    double       p[3] = {9, 9, 9};
    int          count;
    assert_int_equal(tact_xml_reals(&xml, root, "p", 3, 3, p, &count), TACT_OK);
    assert_int_equal(count, 3);
    assert_true(p[0] == 1 && p[1] == -25 && p[2] == 3);
    assert_int_equal(tact_xml_reals(&xml, root, "none", 3, 3, p, &count), TACT_OK);
    assert_true(p[0] == 1 && count == 0);
    assert_int_equal(tact_xml_reals(&xml, root, "few", 3, 3, p, NULL), TACT_BAD_INPUT);
    tact_scratch_said("a.xml:2: a: few: needs 3 numbers and has 2");
    assert_int_equal(tact_xml_reals(&xml, root, "p", 1, 2, p, NULL), TACT_BAD_INPUT);
    tact_scratch_said("a.xml:1: a: p: has more than 2 numbers");
    assert_int_equal(tact_xml_reals(&xml, root, "word", 3, 3, p, NULL), TACT_BAD_INPUT);
    tact_scratch_said("a: word: 'two' is not a number");
    assert_int_equal(tact_xml_reals(&xml, root, "inf", 1, 1, p, NULL), TACT_BAD_INPUT);
    tact_scratch_said("'inf' is not finite");

    int    n = 0;
    bool   b = false;
    double one = 5;
    assert_int_equal(tact_xml_int(root, "n", 0, 10, &n), TACT_OK);
    assert_int_equal(n, 7);
    assert_int_equal(tact_xml_int(root, "n", 0, 6, &n), TACT_BAD_INPUT);
    tact_scratch_said("7 is not between 0 and 6");
    assert_int_equal(tact_xml_int(root, "big", 0, 6, &n), TACT_BAD_INPUT);
    assert_int_equal(tact_xml_bool(root, "b", &b), TACT_OK);
    assert_true(b);
    assert_int_equal(tact_xml_bool(root, "c", &b), TACT_BAD_INPUT);
    tact_scratch_said("a: c: 'yes' is none of: false, true");
    assert_int_equal(tact_xml_real(&xml, root, "none", &one), TACT_OK);
    assert_true(one == 5);

    double *list;
    assert_int_equal(tact_xml_list(&xml, root, "few", &list, &count), TACT_OK);
    assert_int_equal(count, 2);
    assert_true(list[1] == 2);
}

static void paths_are_joined(void **state)
{
    (void)state;
    assert_string_equal(tact_xml_folder(&xml, "a/b/c.xml"), "a/b");
    assert_string_equal(tact_xml_folder(&xml, "c.xml"), "");
    assert_string_equal(tact_xml_folder(&xml, "/c.xml"), "/");
    assert_string_equal(tact_xml_join(&xml, "a/b", "c.stl"), "a/b/c.stl");
    assert_string_equal(tact_xml_join(&xml, "a/", "c.stl"), "a/c.stl");
    assert_string_equal(tact_xml_join(&xml, "", "c.stl"), "c.stl");
    assert_string_equal(tact_xml_join(&xml, "a", "/c.stl"), "/c.stl");
}

int main(void)
{
#ifndef TACT_HAVE_LIBXML2
    print_message("skipped: built without libxml2\n");
    return 0;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_has_its_elements_in_order),
        cmocka_unit_test(elements_and_attributes_know_their_lines),
        cmocka_unit_test(text_is_kept_and_blanks_are_not),
        cmocka_unit_test(long_texts_and_texts_between_children_do_no_harm),
        cmocka_unit_test(the_entities_of_xml_itself_are_read),
        cmocka_unit_test(prefixes_stay_in_names),
        cmocka_unit_test(thousands_of_levels_are_read_and_too_many_refused),
        cmocka_unit_test(broken_files_are_refused_with_their_line),
        cmocka_unit_test(dashes_in_comments_do_no_harm),
        cmocka_unit_test(bytes_that_are_not_utf8_are_taken_as_latin1),
        cmocka_unit_test(entities_are_refused),
        cmocka_unit_test(files_that_are_not_there_are_told),
        cmocka_unit_test(numbers_are_read_and_counted),
        cmocka_unit_test(paths_are_joined),
    };
    return cmocka_run_group_tests(tests, create, destroy);
}
