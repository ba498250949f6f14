// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/dialog_support.h"
#include "ui/widgets/wizard.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QTest>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using namespace idemdesk;
using namespace idemdesk::test;

namespace {

/// Three steps: a form, one that commits, and its result.
class ThreeSteps final : public ui::Wizard
{
public:
    ThreeSteps()
        : Wizard(u"three"_s, u"Three steps"_s, nullptr)
    {
        auto *form = new QWidget(this);
        auto *column = new QVBoxLayout(form);
        for (QWidget *field : std::initializer_list<QWidget *> { m_name, m_choice, m_table }) {
            column->addWidget(field);
        }
        addStep({ u"Form"_s, u"Fill in the form"_s, u"&Next"_s }, form);
        addStep({ u"Text"_s, u"Read the text"_s, u"&Do it"_s, true }, m_text);
        addStep({ u"Result"_s, u"What came of it"_s, u"Close"_s }, new QLabel(u"Done."_s));
        begin();
    }
    using Wizard::setWhyNot;

    QList<int> m_went; ///< the steps whose button was pressed
    QLineEdit *m_name = new QLineEdit;
    QComboBox *m_choice = new QComboBox;
    QTableWidget *m_table = new QTableWidget(1, 1);
    QPlainTextEdit *m_text = new QPlainTextEdit;

protected:
    void entered(int step) override
    {
        (step == 0 ? static_cast<QWidget *>(m_name) : m_text)->setFocus(Qt::OtherFocusReason);
        m_text->setReadOnly(true);
    }
    void go(int step) override
    {
        m_went.append(step);
        if (step == 2) {
            accept();
        } else {
            showStep(step + 1);
        }
    }
};

} // namespace

/// The frame that all dialogs in steps share.
class WizardTest final : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void enterGoesOnAndEscapeCancels();
    void enterStaysInListsAndChoosers();
    void enterNeverCommits();
    void aDoubleClickIsOneStep();
    void saysBesideTheButtonWhyItCannotBePressed();
    void saysWhereOneIs();
    void noWayLeadsBackFromWhatIsDone();
    void buttonsStandInOneOrder();

private:
    QPushButton *button(const char16_t *name) { return named<QPushButton>(m_wizard.get(), name); }

    std::unique_ptr<ThreeSteps> m_wizard;
};

void WizardTest::init()
{
    failOnWarning();
    m_wizard = std::make_unique<ThreeSteps>();
    m_wizard->open();
}

void WizardTest::cleanup()
{
    m_wizard.reset();
}

void WizardTest::enterGoesOnAndEscapeCancels()
{
    QTest::keyClick(m_wizard->m_name, Qt::Key_Return);
    QCOMPARE(m_wizard->step(), 1);
    button(u"threeBack")->click();
    QCOMPARE(m_wizard->step(), 0);
    QCOMPARE(m_wizard->m_went, QList<int>({ 0 }));
    QTest::keyClick(m_wizard->m_name, Qt::Key_Escape);
    QVERIFY(!m_wizard->isVisible());
    QCOMPARE(m_wizard->result(), int(QDialog::Rejected));
}

void WizardTest::enterStaysInListsAndChoosers()
{
    for (QWidget *field : std::initializer_list<QWidget *> { m_wizard->m_choice, m_wizard->m_table }) {
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_wizard->step(), 0);
    }
    // A list that only shows something takes no Enter for itself.
    m_wizard->m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    QTest::keyClick(m_wizard->m_table, Qt::Key_Return);
    QCOMPARE(m_wizard->step(), 1);
}

void WizardTest::enterNeverCommits()
{
    QTest::keyClick(m_wizard->m_name, Qt::Key_Return);
    QVERIFY(button(u"threeCancel")->isDefault());
    QTest::keyClick(m_wizard->focusWidget(), Qt::Key_Return); // an Enter too many
    QCOMPARE(m_wizard->m_went, QList<int>({ 0 }));
    QVERIFY(!m_wizard->isVisible());
}

void WizardTest::aDoubleClickIsOneStep()
{
    QTest::mouseClick(button(u"threeGo"), Qt::LeftButton);
    QTest::mouseDClick(button(u"threeGo"), Qt::LeftButton); // its second press alone
    QTest::mouseRelease(button(u"threeGo"), Qt::LeftButton);
    QCOMPARE(m_wizard->m_went, QList<int>({ 0 }));
    QCOMPARE(m_wizard->step(), 1);
}

void WizardTest::saysBesideTheButtonWhyItCannotBePressed()
{
    m_wizard->setWhyNot(u"The name is missing."_s);
    auto *reason = named<QLabel>(m_wizard.get(), u"buttonReason");
    QCOMPARE(reason->text(), u"The name is missing."_s);
    QCOMPARE(button(u"threeGo")->accessibleDescription(), u"The name is missing."_s);
    const QRect before(reason->mapTo(m_wizard.get(), QPoint()), reason->size());
    const QRect go(button(u"threeGo")->mapTo(m_wizard.get(), QPoint()), button(u"threeGo")->size());
    QVERIFY(before.right() < go.left() && before.top() < go.bottom() && go.top() < before.bottom());
    QTest::keyClick(m_wizard->m_name, Qt::Key_Return);
    QCOMPARE(m_wizard->step(), 0);
    m_wizard->setWhyNot({});
    QVERIFY(reason->text().isEmpty());
    QTest::keyClick(m_wizard->m_name, Qt::Key_Return);
    QCOMPARE(m_wizard->step(), 1);
}

void WizardTest::saysWhereOneIs()
{
    const auto *steps = named<QWidget>(m_wizard.get(), u"threeSteps");
    const auto *heading = named<QLabel>(m_wizard.get(), u"threeHeading");
    QCOMPARE(steps->accessibleName(), u"Step 1 of 3: Form"_s);
    QCOMPARE(heading->text(), u"Fill in the form"_s);
    QCOMPARE(button(u"threeGo")->accessibleName(), u"Next"_s);
    const QImage first = m_wizard->grab().toImage();
    button(u"threeGo")->click();
    QCOMPARE(steps->accessibleName(), u"Step 2 of 3: Text"_s);
    QCOMPARE(heading->text(), u"Read the text"_s);
    QCOMPARE(button(u"threeGo")->accessibleName(), u"Do it"_s);
    QCOMPARE(nameless(m_wizard.get()).filter(u"three"_s), QStringList());
    QVERIFY(first != m_wizard->grab().toImage());
}

void WizardTest::noWayLeadsBackFromWhatIsDone()
{
    QVERIFY(!button(u"threeBack")->isVisible());
    button(u"threeGo")->click();
    QVERIFY(button(u"threeBack")->isVisible());
    button(u"threeGo")->click();
    QVERIFY(!button(u"threeBack")->isVisible() && !button(u"threeCancel")->isVisible());
    QVERIFY(button(u"threeGo")->isDefault());
    button(u"threeGo")->click();
    QCOMPARE(m_wizard->result(), int(QDialog::Accepted));
}

void WizardTest::buttonsStandInOneOrder()
{
    button(u"threeGo")->click();
    QTRY_VERIFY(button(u"threeBack")->x() < button(u"threeGo")->x());
    QVERIFY(button(u"threeGo")->x() < button(u"threeCancel")->x());
}

QTEST_MAIN(WizardTest)
#include "tst_wizard.moc"
