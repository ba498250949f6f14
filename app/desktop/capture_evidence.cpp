// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/capture_evidence.h"

#include "models/compare/compare_controller.h"
#include "models/complaint/complaint_controller.h"
#include "models/conflicts/conflict_controller.h"
#include "models/duplicates/duplicate_controller.h"
#include "ui/pages/compare_view.h"
#include "ui/pages/complaint_view.h"
#include "ui/pages/conflict_tabs.h"
#include "ui/pages/conflicts_page.h"
#include "ui/pages/duplicates_view.h"
#include "ui/window/main_window.h"

#include <QCryptographicHash>
#include <QDialog>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>

using namespace Qt::StringLiterals;

namespace idemdesk::app {

namespace {

// Two requests of one key, as a person would open them from files.
const QByteArray kFirst = R"({
  "amount": 10.50, "currency": "EUR", "customer": "cus_81",
  "items": [
    {"id": "sku-1", "quantity": 1, "price": 4.25, "note": "Gift wrap, blue"},
    {"id": "sku-2", "quantity": 2, "price": 3.125},
    {"id": "sku-3", "quantity": 1, "price": 0}
  ],
  "address": {"street": "12 Harbour Road", "city": "Rostock"},
  "sent_at": "2026-11-20T14:30:00Z"
})";
const QByteArray kSecond = R"({
  "amount": 99.0, "currency": "EUR", "customer": "cus_81",
  "items": [
    {"id": "sku-2", "quantity": 2, "price": 3.1250},
    {"id": "sku-1", "quantity": 1, "price": 4.25, "note": "Gift wrap, green"},
    {"id": "sku-4", "quantity": 5, "price": 17.60}
  ],
  "address": {"city": "Rostock", "street": "12 Harbour Road"},
  "sent_at": "2026-11-20T14:31:07Z"
})";

} // namespace

void addEvidenceStops(CaptureScript &script, ui::MainWindow &window, const QString &suffix)
{
    ui::MainWindow *main = &window;
    const auto stop = [&script, main, suffix](const QString &name, std::function<void()> act, std::function<bool()> ready) {
        script.add({ name.isEmpty() ? QString() : name + suffix, std::move(act), std::move(ready), [main] { return main; } });
    };
    const auto field = [main](const QString &name) { return main->findChild<QLineEdit *>(name); };
    const auto judged = [main] {
        const auto *complaint = main->conflictTabs()->complaint();
        return !complaint->busy() && !complaint->caseController()->busy() && complaint->caseController()->file().has_value();
    };
    stop(
        u"conflicts"_s,
        [main] {
            main->showPage(u"conflicts"_s);
            main->conflictTabs()->showTab(u"conflicts"_s);
        },
        [main] { return main->conflicts()->loaded() && !main->conflicts()->busy(); });
    const auto fieldsDialog = [main] { return main->findChild<QDialog *>(u"logFieldsDialog"_s); };
    script.add({ u"conflicts-log-fields"_s + suffix,
        [main, fieldsDialog] {
            main->conflictsPage()->askFields();
            fieldsDialog()->findChild<QLineEdit *>(u"logField_key"_s)->setText(u"/request/id"_s);
            fieldsDialog()->findChild<QLineEdit *>(u"logField_conflict"_s)->setText(u"reused"_s);
            fieldsDialog()->findChild<QPlainTextEdit *>(u"logFieldsLine"_s)->setPlainText(uR"({"request": {"id": "checkout-7f3a"}, "operation": "pay", "outcome": "reused", "time": "2026-11-20T14:31:07Z"})"_s);
        },
        {}, [fieldsDialog] { return static_cast<QWidget *>(fieldsDialog()); } });
    stop(
        {}, [fieldsDialog] { fieldsDialog()->reject(); }, [fieldsDialog] { return fieldsDialog() == nullptr; });
    stop(
        u"complaint-question"_s,
        [main] {
            main->conflictTabs()->showTab(u"complaint"_s);
            main->conflictTabs()->complaintView()->clear();
        },
        {});
    stop(
        u"complaint-candidates"_s,
        [main, field] {
            field(u"complaintText"_s)->setText(u"visa"_s);
            main->conflictTabs()->complaintView()->ask();
        },
        [main] { return main->conflictTabs()->complaint()->answered() && !main->conflictTabs()->complaint()->busy(); });
    stop(
        {},
        [main] {
            const sql::ConflictRecord *conflict = main->conflicts()->model()->record(0);
            main->conflictTabs()->complaintView()->askConflict(conflict != nullptr ? *conflict : sql::ConflictRecord());
        },
        [main] { return main->conflictTabs()->complaint()->answered() && !main->conflictTabs()->complaint()->busy(); });
    stop(
        u"complaint-verdict"_s,
        [main] {
            // The intent itself, not the message that went out for it.
            auto *complaint = main->conflictTabs()->complaint();
            complaint->model()->pick(complaint->model()->rowCount() - 1, true);
            complaint->judgePicked();
        },
        judged);
    stop(
        u"complaint-story"_s, [main] { main->findChild<QTabWidget *>(u"caseTabs"_s)->setCurrentIndex(1); }, {});
    stop(
        u"duplicates"_s,
        [main, field] {
            main->findChild<QTabWidget *>(u"caseTabs"_s)->setCurrentIndex(0);
            field(u"complaintKey"_s)->clear();
            main->conflictTabs()->showTab(u"duplicates"_s);
            main->conflictTabs()->duplicatesView()->showTarget(u"plpgsql-request"_s);
            main->conflictTabs()->duplicatesView()->setFilter(u"scope:create_order"_s);
            main->conflictTabs()->duplicatesView()->search();
        },
        [main] { return main->conflictTabs()->duplicates()->searched() && !main->conflictTabs()->duplicates()->running(); });
    stop(u"duplicates-verdict"_s, [main] { main->findChild<QPushButton *>(u"duplicateJudge"_s)->click(); }, judged);
    stop(
        u"compare-empty"_s,
        [main] {
            main->conflictTabs()->compare()->clear();
            main->conflictTabs()->showTab(u"compare"_s);
        },
        {});
    const auto compared = [main] { return !main->conflictTabs()->compare()->busy() && main->conflictTabs()->compare()->comparison() != nullptr; };
    stop(
        u"compare-tree"_s,
        [main] {
            auto *compare = main->conflictTabs()->compare();
            compare->setSide(0, u"stored-request.json"_s, kFirst);
            compare->setSide(1, u"request-of-the-retry.json"_s, kSecond);
            main->conflictTabs()->compareView()->showTab(u"tree"_s);
        },
        compared);
    stop(u"compare-sides"_s, [main] { main->conflictTabs()->compareView()->showTab(u"sides"_s); }, compared);
    stop(
        u"compare-recipe"_s,
        [main, field] {
            field(u"compareParts"_s)->setText(u"method=POST path=/v1/orders"_s);
            field(u"compareIgnore"_s)->setText(u"/sent_at"_s);
            main->conflictTabs()->compare()->setIgnore({ u"/sent_at"_s });
            const QByteArray hashed = "POST\n/v1/orders\n" + kFirst;
            main->conflictTabs()->compareView()->setFingerprint(QString::fromLatin1(QCryptographicHash::hash(hashed, QCryptographicHash::Sha256).toHex()));
            main->conflictTabs()->compareView()->showTab(u"tree"_s);
        },
        compared);
    stop(
        u"compare-text"_s,
        [main, field] {
            auto *compare = main->conflictTabs()->compare();
            field(u"compareIgnore"_s)->clear();
            field(u"compareParts"_s)->clear();
            compare->setIgnore({});
            main->conflictTabs()->compareView()->setFingerprint({});
            compare->setSide(0, u"stored-request.txt"_s, "amount=10.50&currency=EUR\ncustomer=cus_81\nnote=blue\n");
            compare->setSide(1, u"request-of-the-retry.txt"_s, "amount=99.00&currency=EUR\ncustomer=cus_81\n");
        },
        compared);
}

} // namespace idemdesk::app
